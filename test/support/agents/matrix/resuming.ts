/** Stories of one agent in one terminal: it sleeps, crashes, is left, starts over. The model's count of prompts proves each resume. */
import { expect } from 'vitest'
import { killDaemon, killDaemonAndHolders } from '../../daemon.ts'
import { until } from '../../milestone.ts'
import { powerCut } from '../../restoring.ts'
import type { AgentTerminal } from '../agentTerminal.ts'
import type { Cell } from './cell.ts'

/** One typed at the prompt of a shell and one as the terminal's own command, each in a directory of its own. */
async function bothWays(cell: Cell): Promise<readonly AgentTerminal[]> {
  const [project, other] = cell.bench.user.projects
  return await Promise.all([
    cell.start({ name: 'typed', by: 'shell', cwd: project ?? '' }),
    cell.start({ name: 'started', by: 'command', cwd: other ?? '' }),
  ])
}

/** Says one thing more; the model must have seen all of these before it. Returns the conversation that Holdfast knows. */
export async function continues(terminal: AgentTerminal, mark: string, before: readonly string[]): Promise<string> {
  const marks = [...before, mark]
  expect(await terminal.turn(mark)).toMatchObject({ users: marks.length, marks })
  return await terminal.known()
}

export async function wakeLost(...terminals: readonly AgentTerminal[]): Promise<string> {
  const [first] = terminals
  const { stdout } = (await first?.done('wake', '--lost')) ?? { stdout: '' }
  for (const terminal of terminals) await terminal.ready()
  return stdout
}

/** A mark of one terminal: the model tells them apart by nothing else. */
const said = (mark: string, { name }: AgentTerminal): string => `${mark}${name.toUpperCase()}`

export async function sleeps(cell: Cell): Promise<void> {
  const terminals = await bothWays(cell)
  for (const terminal of terminals) {
    const first = await terminal.turn(said('ONE', terminal))
    expect(first).toMatchObject({ users: 1 })
    const conversation = await terminal.known()
    if (first.conversation !== null) expect(conversation).toBe(first.conversation)
    await terminal.sleep()
    expect((await terminal.row()).conversation).toBe(conversation)
    await terminal.wake()
    expect(await continues(terminal, said('TWO', terminal), first.marks)).toBe(conversation)
  }
  const [typed, started] = terminals
  await typed?.quit()
  await started?.quit()
  await started?.done('send', 'started', 'pwd', '--enter')
  await started?.shows(cell.bench.user.projects[1] ?? '')
}

export async function crashes(cell: Cell): Promise<void> {
  const terminals = await bothWays(cell)
  const known: string[] = []
  for (const terminal of terminals) {
    await terminal.turn(said('ONE', terminal))
    known.push(await terminal.known())
  }
  await killDaemonAndHolders(cell.bench.home)
  await wakeLost(...terminals)
  for (const [index, terminal] of terminals.entries())
    expect(await continues(terminal, said('TWO', terminal), [said('ONE', terminal)])).toBe(known[index])
  const [typed] = terminals
  if (typed === undefined) return
  await typed.prompt('THREE', ' HOLD')
  await typed.shows('REPLY\\s+users=3.*more')
  await powerCut(cell.bench.home)
  await wakeLost(...terminals)
  const isLost = cell.habits.losesInterrupted === true
  expect((await typed.turn('FOUR')).marks).toEqual(['ONETYPED', 'TWOTYPED', ...(isLost ? [] : ['THREE']), 'FOUR'])
  if (isLost) cell.note('the prompt that it was answering is lost: it has not written that down')
  expect(await typed.known()).toBe(known[0])
}

export async function losesDaemon(cell: Cell): Promise<void> {
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  const before = await terminal.row()
  await terminal.prompt('TWO', ' SLOW')
  await terminal.shows('REPLY\\s+users=2.*more')
  killDaemon(cell.bench.home)
  const after = await terminal.row()
  expect(after).toMatchObject({ state: 'live', pid: before.pid, conversation })
  await until(async () => (await terminal.row()).agent?.pid === before.agent?.pid, {
    what: 'the same process to be seen',
    timeoutMs: 15_000,
  })
  await terminal.shows('SLOW-END')
  expect(await continues(terminal, 'THREE', ['ONE', 'TWO'])).toBe(conversation)
}

async function expectShell(terminal: AgentTerminal, sum: string): Promise<void> {
  await terminal.shows('prompt>')
  await terminal.done('send', terminal.name, `echo it-is-$((${sum} + 2))`, '--enter')
  await terminal.shows(`it-is-${Number(sum) + 2}`)
  expect(await terminal.row()).toMatchObject({ state: 'live', foreground: 'bash', agent: null })
}

export async function quits(cell: Cell): Promise<void> {
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  await terminal.known()
  await terminal.quit()
  await terminal.sleep()
  await terminal.done('wake', 'one')
  await expectShell(terminal, '40')
  await powerCut(cell.bench.home)
  await terminal.done('wake', '--lost')
  await expectShell(terminal, '50')
  expect(cell.bench.model.said()).toEqual(['ONE'])
}

export async function startsOver(cell: Cell): Promise<void> {
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  const before = await terminal.known()
  await terminal.startOver()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 1, marks: ['TWO'] })
  const isOther = async () => {
    const { conversation } = await terminal.row()
    return conversation !== before && conversation
  }
  const after = await until(isOther, { what: 'the new conversation to be known', timeoutMs: 15_000 })
  await powerCut(cell.bench.home)
  await wakeLost(terminal)
  expect(await continues(terminal, 'THREE', ['TWO'])).toBe(after)
  await terminal.sleep()
  expect((await terminal.row()).conversation).toBe(after)
  await terminal.wake()
  expect(await continues(terminal, 'FOUR', ['TWO', 'THREE'])).toBe(after)
}

export async function compacts(cell: Cell): Promise<void> {
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  await terminal.turn('TWO')
  await terminal.compact()
  const third = await terminal.turn('THREE')
  if (cell.habits.compact.by === 'model')
    expect(third.compacted, 'what the agent has made of the conversation').toEqual(expect.arrayContaining(['ONE']))
  const conversation = await terminal.known()
  await powerCut(cell.bench.home)
  await wakeLost(terminal)
  const fourth = await terminal.turn('FOUR')
  expect(fourth.compacted).toEqual(third.compacted)
  expect(fourth.marks).toEqual([...third.marks, 'FOUR'])
  expect(await terminal.known()).toBe(conversation)
}
