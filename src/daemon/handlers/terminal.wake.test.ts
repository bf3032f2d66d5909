import { expect, test, vi } from 'vitest'
import { makeDaemon } from '../../../test/support/ownDaemon.ts'
import { asleep, runId, terminalId } from '../../../test/support/terminals.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Client } from '../clients/handler.ts'
import { viewOf } from '../terminals/view.ts'
import { wakeTerminal } from './terminal.wake.ts'

test('who wakes a terminal that is being checked is refused, and nothing is started twice', async () => {
  const id = terminalId(1)
  const daemon = await makeDaemon({ groups: [], dock: [id] })
  const spec = { command: '/bin/sh', args: [], cwd: '/', env: {}, size: { cols: 80, rows: 24 } }
  await daemon.registry.carryOut(id, { terminal: asleep({ id, spec, lastRun: null }), effects: [{ kind: 'keep' }] })
  const events: TerminalEvent['kind'][] = []
  let pass: () => void = () => undefined
  const held = new Promise<void>((resolve) => (pass = resolve))
  const apply = daemon.registry.apply.bind(daemon.registry)
  daemon.registry.apply = async (terminal, event) => {
    events.push(event.kind)
    if (event.kind === 'looked') await held // the last thing before it is woken
    return apply(terminal, event)
  }
  const wake = () => wakeTerminal(daemon, { terminal: id, mode: 'fresh' }, {} as Client)
  const phase = () => viewOf(daemon.registry.get(id) ?? asleep(), daemon).wakePhase

  const first = wake()
  await vi.waitFor(() => expect(phase()).toBe('checking')) // the load is looked at first
  expect(await wake()).toMatchObject({ ok: false, refusal: { code: 'busy' } })
  expect(phase()).toBe('checking')
  pass()
  // There is no holder to be started here: so it fails, and can be tried again.
  expect(await first).toMatchObject({ ok: false, refusal: { code: 'start-failed' } })
  expect(events.filter((kind) => kind === 'wakeAsked')).toHaveLength(1)
  expect(phase()).toBeNull()
  expect(await wake()).toMatchObject({ ok: false, refusal: { code: 'start-failed' } })
  expect(events.filter((kind) => kind === 'wakeAsked')).toHaveLength(2)
})

test('a wake whose program cannot be started leaves everything to be tried again: the conversation, another one, a fresh start', async () => {
  const id = terminalId(1)
  const daemon = await makeDaemon({ groups: [], dock: [id] })
  const [known, other] = ['0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01', '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d02']
  const spec = { command: '/bin/sh', args: [], cwd: '/', env: {}, size: { cols: 80, rows: 24 } }
  const restore = { kind: 'conversation', agent: 'codex', id: known, provenance: 'user', argv: ['codex', 'resume', known] } as const
  const before = asleep({ id, spec, restore, lastRun: runId(7) })
  await daemon.registry.carryOut(id, { terminal: before, effects: [{ kind: 'keep' }] })
  for (const wish of [{}, { conversation: other }, { mode: 'fresh' }, {}] as const) {
    expect(await wakeTerminal(daemon, { terminal: id, ...wish }, {} as Client)).toMatchObject({
      ok: false,
      refusal: { code: 'start-failed' },
    })
    const after = daemon.registry.get(id)
    expect(after).toMatchObject({ state: 'asleep', because: { kind: 'failed', resumed: null }, restore, lastRun: runId(7) })
    expect(viewOf(after ?? before, daemon)).toMatchObject({
      wakePhase: null,
      conversation: known,
      offers: { resume: `codex resume ${known}`, conversation: true, fresh: '/bin/sh' },
    })
  }
})
