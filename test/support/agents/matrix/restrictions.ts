import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { powerCut } from '../../restoring.ts'
import type { AgentTerminal } from '../agentTerminal.ts'
import type { Cell } from './cell.ts'

/** What the user has forbidden at the first start is forbidden after a sleep and after a crash. */
export async function keepsRestrictions(cell: Cell): Promise<void> {
  const { flags } = cell.habits.restriction
  const terminal = await cell.start({ name: 'one', by: 'shell', args: flags })
  const first = await terminal.turn('ONE')
  const said = ['ONE', ...(await isRestricted(cell, terminal, { mark: 'FIRST', tools: first.tools }))]
  await terminal.known()
  await terminal.sleep()
  const { stdout } = await terminal.done('wake', 'one')
  for (const word of flags) expect(stdout).toContain(word)
  await terminal.ready()
  // The model is told of the same tools as before.
  expect(await terminal.turn('TWO')).toMatchObject({ marks: [...said, 'TWO'], tools: first.tools })
  await powerCut(cell.bench.home)
  await terminal.done('wake', '--lost')
  await terminal.ready()
  const { tools, marks } = await terminal.turn('THREE')
  expect({ tools, marks }).toEqual({ tools: first.tools, marks: [...said, 'TWO', 'THREE'] })
  await isRestricted(cell, terminal, { mark: 'LAST', tools })
}

type Seen = { readonly mark: string; readonly tools: readonly string[] }

/** Returns what was said to see it. */
async function isRestricted({ habits, bench }: Cell, terminal: AgentTerminal, { mark, tools }: Seen): Promise<readonly string[]> {
  const { isKept } = habits.restriction
  if (isKept !== 'it asks') {
    expect(tools.filter((name) => isKept.lacks.test(name))).toEqual([])
    return []
  }
  const { shows = '', refuse = [] } = habits.asking ?? {}
  await terminal.prompt(mark, ' ASK:touch not-allowed')
  await terminal.shows(shows)
  expect(existsSync(join(bench.project, 'not-allowed'))).toBe(false)
  await terminal.refuse(refuse)
  return [mark]
}
