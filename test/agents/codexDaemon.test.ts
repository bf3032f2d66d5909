/** Codex in its usual mode: a background process of its own holds the conversations, and the terminal only shows them. */
import { expect, test } from 'vitest'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { killDaemonAndHolders } from '../support/daemon.ts'
import { endProcesses } from '../support/processes.ts'

const PATIENCE = { timeout: INSTALL_TIMEOUT_MS }

test(
  'codex with its daemon goes on with its conversation after a sleep, and after a kill -9 of daemon and holder',
  PATIENCE,
  async (context) => {
    await using bench = await benchWith(context, ['codex'])
    const terminal = await bench.start('codex', { name: 'codex', by: 'shell' })
    const first = await terminal.turn('ONE')
    expect(await terminal.known()).toBe(first.conversation)
    await terminal.sleep()
    await terminal.wake()
    expect(await terminal.turn('TWO')).toMatchObject({ users: 2, marks: ['ONE', 'TWO'] })
    await killDaemonAndHolders(bench.home)
    await terminal.wake()
    expect(await terminal.turn('THREE')).toMatchObject({ users: 3, marks: ['ONE', 'TWO', 'THREE'] })
    expect(await terminal.known()).toBe(first.conversation)
  },
)

test(
  'codex that is killed with its own daemon in the middle of an answer goes on after the prompt it was at',
  PATIENCE,
  async (context) => {
    await using bench = await benchWith(context, ['codex'])
    const terminal = await bench.start('codex', { name: 'codex', by: 'command' })
    await terminal.turn('ONE')
    await terminal.known()
    await terminal.prompt('TWO', ' HOLD')
    await terminal.shows('REPLY\\s+users=2.*more')
    await endProcesses(bench.home.path)
    await terminal.wake()
    expect(await terminal.turn('THREE')).toMatchObject({ marks: ['ONE', 'TWO', 'THREE'] })
  },
)

test(
  'two of codex on one daemon in one directory are told apart, and the sleep of one does not end the other',
  PATIENCE,
  async (context) => {
    await using bench = await benchWith(context, ['codex'])
    const left = await bench.start('codex', { name: 'left', by: 'shell' })
    const right = await bench.start('codex', { name: 'right', by: 'shell' })
    expect(await right.turn('RIGHT1')).toMatchObject({ users: 1 })
    expect(await left.turn('LEFT1')).toMatchObject({ users: 1 })
    const known = { left: await left.known(), right: await right.known() }
    expect(bench.model.turns().map(({ conversation }) => conversation)).toEqual([known.right, known.left])

    await left.sleep()
    expect(await right.turn('RIGHT2')).toMatchObject({ users: 2, marks: ['RIGHT1', 'RIGHT2'] })
    await right.sleep()
    await right.wake()
    await left.wake()
    expect(await left.turn('LEFT2')).toMatchObject({ users: 2, marks: ['LEFT1', 'LEFT2'] })
    expect(await right.turn('RIGHT3')).toMatchObject({ users: 3, marks: ['RIGHT1', 'RIGHT2', 'RIGHT3'] })
  },
)

test('codex on its daemon that was told to start over goes on with the new conversation', PATIENCE, async (context) => {
  await using bench = await benchWith(context, ['codex'])
  const terminal = await bench.start('codex', { name: 'codex', by: 'shell' })
  await terminal.turn('ONE')
  await terminal.known()
  await terminal.startOver()
  const second = await terminal.turn('TWO')
  await terminal.sleep()
  expect((await terminal.row()).conversation).toBe(second.conversation)
  await terminal.wake()
  expect(await terminal.turn('THREE')).toMatchObject({ users: 2, marks: ['TWO', 'THREE'] })
})
