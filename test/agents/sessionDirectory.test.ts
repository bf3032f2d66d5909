/** An agent that keeps its conversations where the user says. */
import { expect, test } from 'vitest'
import { continues, wakeLost } from '../support/agents/matrix/resuming.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { powerCut } from '../support/restoring.ts'

test('pi continues each conversation of a --session-dir that two projects share', { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
  await using bench = await benchWith(context, ['pi'], ['project', 'other'])
  const args = ['--session-dir', `${bench.user.path}/conversations`]
  const one = await bench.start('pi', { name: 'one', by: 'command', args })
  const other = await bench.start('pi', { name: 'other', by: 'command', args, cwd: bench.user.projects[1] ?? '' })
  await other.turn('OTHER1')
  await one.turn('ONE1')
  const conversations = [await one.known(), await other.known()]
  expect(new Set(conversations).size).toBe(2)
  for (const terminal of [one, other]) await terminal.sleep()
  for (const terminal of [one, other]) await terminal.wake()
  expect([await continues(one, 'ONE2', ['ONE1']), await continues(other, 'OTHER2', ['OTHER1'])]).toEqual(conversations)
  await powerCut(bench.home)
  await wakeLost(one, other)
  expect([await continues(one, 'ONE3', ['ONE1', 'ONE2']), await continues(other, 'OTHER3', ['OTHER1', 'OTHER2'])]).toEqual(conversations)
})
