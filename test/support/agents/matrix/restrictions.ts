import { expect } from 'vitest'
import { powerCut } from '../../restoring.ts'
import type { AgentTerminal } from '../agentTerminal.ts'
import type { Turn } from '../fakeModel.ts'
import type { Cell } from './cell.ts'

/** What the user has forbidden at the first start is forbidden after a sleep and after a crash: the model is told of the same tools. */
export async function keepsRestrictions(cell: Cell): Promise<void> {
  const { flags, isKept } = cell.habits.restriction
  const terminal = await cell.start({ name: 'one', by: 'shell', args: flags })
  const first = await terminal.turn('ONE')
  await terminal.known()
  await isRestricted(terminal, first, isKept)
  await terminal.sleep()
  const { stdout } = await terminal.done('wake', 'one')
  for (const word of flags) expect(stdout).toContain(word)
  await terminal.ready()
  const second = await terminal.turn('TWO')
  expect(second).toMatchObject({ users: 2, tools: first.tools })
  await powerCut(cell.bench.home)
  await terminal.done('wake', '--lost')
  await terminal.ready()
  const third = await terminal.turn('THREE')
  expect(third).toMatchObject({ users: 3, tools: first.tools })
  await isRestricted(terminal, third, isKept)
}

type IsKept = Cell['habits']['restriction']['isKept']

async function isRestricted(terminal: AgentTerminal, { tools }: Turn, isKept: IsKept): Promise<void> {
  if ('lacks' in isKept) expect(tools.filter((name) => isKept.lacks.test(name))).toEqual([])
  else {
    // The tool is asked for, and the agent asks the user first.
    await terminal.prompt(`ASK${terminal.bench.model.turns().length}`, ' TOOL:touch not-allowed')
    await terminal.shows(isKept.asks)
    await terminal.refuse()
  }
}
