import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import type { Look } from '../../agents/agent.ts'
import { claude } from '../../agents/programs/claude.ts'
import type { AgentState, StateReport } from '../../agents/state.ts'
import { CALM_AFTER_MS } from '../../agents/stateMerge.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import { type Doing, readState, stated } from './states.ts'
import { newWatched, type SeenAgent } from './watched.ts'
import type { AgentWorld } from './world.ts'

const STARTED = 100_000

/** An agent that began at `startedAt`, in front of a terminal of a daemon that began at 100 s. */
function agentFrom(startedAt: number, screen: { shown: string } = { shown: '' }): { doing: Doing; events: TerminalEvent['kind'][] } {
  const events: TerminalEvent['kind'][] = []
  const daemon = {
    startedAt: STARTED,
    registry: { get: () => ({ title: '' }) },
    screens: { has: () => true, read: () => Promise.resolve({ content: screen.shown }) },
    react: (_: string, event: TerminalEvent) => events.push(event.kind),
    audience: { announceTerminal: () => undefined },
  } as unknown as AgentWorld
  const process = {
    agent: 'claude',
    process: { pid: 7, start: '1' },
    pids: [7],
    selves: [],
    cwd: null,
    env: {},
    startedAt,
  } as unknown as SeenAgent['process']
  const seen: SeenAgent = {
    ...{ agent: claude, process, own: [], wrapper: { kind: 'none' }, isInFront: true, bound: null, noted: null, hook: null, oldHint: null },
    ...{ reports: {}, shown: null, track: null, attendedAt: null, moves: [], inside: [] },
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

describe('the screen', () => {
  const PROMPT = '────\n❯\n────\n  ? for shortcuts'
  const BUSY = '────\n❯\n────\n  esc to interrupt'
  const QUESTION = '❯ do it\n Do you want to proceed?\n ❯ 1. Yes\n   2. No'
  const look = {} as Look // nothing is bound, so that no file is read
  const AFTER_MS = CALM_AFTER_MS + 100

  test('is looked at twice before an agent is said to have stopped', async () => {
    const screen = { shown: BUSY }
    const { doing, events } = agentFrom(STARTED + 1, screen)
    const state = () => doing.seen.track?.told.state
    await readState(doing, look)
    screen.shown = PROMPT
    await readState(doing, look)
    expect(state()).toBe('working')
    screen.shown = BUSY // it was between two frames
    await delay(AFTER_MS)
    expect(state()).toBe('working')
    screen.shown = PROMPT
    await readState(doing, look)
    await delay(AFTER_MS)
    expect(state()).toBe('done')
    expect(events).toEqual(['noticed'])
  })

  test('is looked at twice before a question is said to be answered, and not before it is asked', async () => {
    const screen = { shown: BUSY }
    const { doing, events } = agentFrom(STARTED + 1, screen)
    const state = () => doing.seen.track?.told.state
    await readState(doing, look)
    screen.shown = QUESTION
    await readState(doing, look)
    expect(state()).toBe('needs-you')
    screen.shown = BUSY
    await readState(doing, look)
    screen.shown = QUESTION
    await delay(AFTER_MS)
    expect([state(), events]).toEqual(['needs-you', ['noticed']])
    screen.shown = BUSY
    await readState(doing, look)
    await delay(AFTER_MS)
    expect(state()).toBe('working')
  })

  test('says nothing any more of what it does not show any more', async () => {
    const screen = { shown: QUESTION }
    const { doing } = agentFrom(STARTED + 1, screen)
    await readState(doing, look)
    expect(doing.seen.reports.screen).toMatchObject({ state: 'needs-you', words: 'Do you want to proceed?' })
    screen.shown = 'something else'
    await readState(doing, look)
    expect(doing.seen.reports.screen).toBeUndefined()
  })

  test('shows rest since the agent last stopped, although another view was in between', async () => {
    const screen = { shown: PROMPT }
    const { doing } = agentFrom(STARTED + 1, screen)
    const restsSince = async (shown: string): Promise<number> => {
      screen.shown = shown
      await readState(doing, look)
      await delay(2)
      return doing.seen.reports.screen?.at ?? 0
    }
    const first = await restsSince(PROMPT)
    await restsSince('another view')
    expect(await restsSince(PROMPT)).toBe(first)
    await restsSince(BUSY)
    await restsSince('another view')
    expect(await restsSince(PROMPT)).toBeGreaterThan(first)
  })

  test('keeps the time of a question for as long as it is the same one', async () => {
    const screen = { shown: QUESTION }
    const { doing } = agentFrom(STARTED + 1, screen)
    await readState(doing, look)
    const first = doing.seen.reports.screen?.at
    await delay(5)
    await readState(doing, look)
    expect(doing.seen.reports.screen?.at).toBe(first)
    screen.shown = QUESTION.replace('proceed', 'overwrite it')
    await readState(doing, look)
    expect(doing.seen.reports.screen?.at).toBeGreaterThan(first ?? 0)
  })
})
