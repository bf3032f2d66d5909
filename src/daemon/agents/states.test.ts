import { describe, expect, test } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import { claude } from '../../agents/claude.ts'
import type { AgentState, StateReport } from '../../agents/state.ts'
import { CALM_AFTER_MS } from '../../agents/stateMerge.ts'
import type { TerminalEvent } from '../../workspace/step.ts'
import type { Daemon } from '../daemon.ts'
import { type Doing, stated } from './states.ts'
import { newWatched, type SeenAgent } from './watched.ts'

const STARTED = 100_000

/** An agent that began at `startedAt`, in front of a terminal of a daemon that began at 100 s. */
function agentFrom(startedAt: number): { doing: Doing; events: TerminalEvent['kind'][] } {
  const events: TerminalEvent['kind'][] = []
  const daemon = {
    startedAt: STARTED,
    runEvent: (_: string, event: TerminalEvent) => events.push(event.kind),
    announceTerminal: () => undefined,
  } as unknown as Daemon
  const process = {
    agent: 'claude',
    process: { pid: 7, start: '1' },
    pids: [7],
    cwd: null,
    env: {},
    startedAt,
  } as unknown as SeenAgent['process']
  const seen: SeenAgent = {
    ...{ agent: claude, process, own: [], wrapper: { kind: 'none' }, isInFront: true, bound: null, noted: null, hook: null, oldHint: null },
    ...{ reports: {}, track: null, attendedAt: null, moves: [], inside: [] },
  }
  const watched = { ...newWatched(terminalId(1), runId(1)), agent: seen }
  return { doing: { daemon, watched, seen }, events }
}

let at = STARTED
const says = (doing: Doing, state: AgentState): void => {
  at += CALM_AFTER_MS * 10
  const report: StateReport = { source: 'hook', state, wants: null, words: null, at }
  stated(doing, report)
}

describe('an agent', () => {
  test('that turns to its user is news, once for each turn', () => {
    const { doing, events } = agentFrom(STARTED + 1)
    for (const state of ['idle', 'working', 'needs-you', 'needs-you'] as const) says(doing, state)
    expect(events).toEqual(['noticed'])
    for (const state of ['working', 'needs-you'] as const) says(doing, state)
    expect(events).toEqual(['noticed', 'noticed'])
  })

  test('that is done is news, not that it rests or works', () => {
    const { doing, events } = agentFrom(STARTED + 1)
    for (const state of ['working', 'needs-you', 'idle', 'working'] as const) says(doing, state)
    events.splice(0)
    for (const state of ['needs-you', 'done', 'idle'] as const) says(doing, state)
    expect(events).toEqual(['noticed', 'noticed'])
  })

  test('that asks from the first is news', () => {
    const { doing, events } = agentFrom(STARTED + 1)
    says(doing, 'needs-you')
    expect(events).toEqual(['noticed'])
  })

  test('that a daemon finds asking when it comes back is none: its user was told, and may have looked since', () => {
    const { doing, events } = agentFrom(STARTED - 60_000)
    says(doing, 'unknown')
    says(doing, 'needs-you')
    expect(events).toEqual([])
    for (const state of ['working', 'needs-you'] as const) says(doing, state)
    expect(events).toEqual(['noticed'])
  })
})
