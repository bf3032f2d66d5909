/** Stories of two terminals with the same agent in one directory: neither may get the other's conversation. */
import { expect } from 'vitest'
import { powerCut } from '../../restoring.ts'
import type { Cell } from './cell.ts'
import { continues, wakeLost } from './resuming.ts'

export async function silentNeighbour(cell: Cell): Promise<void> {
  const told = await cell.start({ name: 'told', by: 'command' })
  await told.turn('ONE')
  const conversation = await told.known()
  const silent = await cell.start({ name: 'silent', by: 'command' })
  expect((await silent.row()).conversation).not.toBe(conversation)
  await powerCut(cell.bench.home)
  await cell.bench.hf('daemon', 'start')
  expect((await silent.row()).back).toMatchObject({ kind: 'new-conversation' })
  expect((await told.row()).back).toMatchObject({ kind: 'resumed', text: expect.stringContaining(conversation) })
  const { stdout } = await told.done('wake', '--lost', '--json')
  const woken = JSON.parse(stdout) as readonly { readonly name: string; readonly back: { readonly kind: string } | null }[]
  const back = Object.fromEntries(woken.map(({ name, back: came }) => [name, came?.kind]))
  expect(back).toEqual({ told: 'resumed', silent: 'new-conversation' })
  for (const terminal of [silent, told]) await terminal.ready()
  expect(await silent.turn('SILENT')).toMatchObject({ users: 1, marks: ['SILENT'] })
  expect(await continues(told, 'TWO', ['ONE'])).toBe(conversation)
  expect(await silent.known()).not.toBe(conversation)
}

export async function twoAtOnce(cell: Cell): Promise<void> {
  // Some agents do not survive it when two of them make their files in a new HOME at once.
  await cell.start({ name: 'earlier', by: 'command', cwd: cell.bench.user.projects[1] ?? '' })
  await cell.bench.hf('close', '--yes', 'earlier')
  const [left, right] = await Promise.all([cell.start({ name: 'left', by: 'command' }), cell.start({ name: 'right', by: 'command' })])
  // Not in the order in which they were started: that must not decide.
  await right.turn('RIGHT1')
  await left.turn('LEFT1')
  const conversations = [await left.known(), await right.known()]
  expect(new Set(conversations).size).toBe(2)
  await left.done('sleep', '--force', 'left', 'right')
  await right.wake()
  await left.wake()
  expect([await continues(left, 'LEFT2', ['LEFT1']), await continues(right, 'RIGHT2', ['RIGHT1'])]).toEqual(conversations)
  await powerCut(cell.bench.home)
  await wakeLost(left, right)
  expect([await continues(left, 'LEFT3', ['LEFT1', 'LEFT2']), await continues(right, 'RIGHT3', ['RIGHT1', 'RIGHT2'])]).toEqual(
    conversations,
  )
}
