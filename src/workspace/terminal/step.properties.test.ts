import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryEvent, arbitraryTerminal, holdsOnlyItsOwn, runId, spec, terminalId } from '../../../test/support/terminals.ts'
import type { TerminalEvent } from './events.ts'
import { keepsBeforeKill } from './keepBeforeKill.ts'
import { newTerminal, step } from './step.ts'
import { currentRun, type Terminal } from './terminal.ts'

/** Mostly the current run, sometimes one of another time; every wake gets a run that never was before. */
type Draft = { readonly event: TerminalEvent; readonly speaksOfCurrent: boolean }
const drafts = fc.array(fc.record({ event: arbitraryEvent(fc.integer({ min: 1, max: 9 }).map(runId)), speaksOfCurrent: fc.boolean() }), {
  maxLength: 60,
})

function eventFor({ event, speaksOfCurrent }: Draft, terminal: Terminal, index: number): TerminalEvent {
  if (event.kind === 'wakeAsked') return { ...event, run: runId(1_000 + index) }
  const run = currentRun(terminal)
  return 'run' in event && speaksOfCurrent && run !== null ? { ...event, run } : event
}

type Moment = { readonly before: Terminal; readonly event: TerminalEvent; readonly after: ReturnType<typeof step> }

/** The life of one terminal under the drafts; it ends with the terminal. */
function lifeOf(sequence: readonly Draft[]): readonly Moment[] {
  const moments: Moment[] = []
  let terminal: Terminal | null = newTerminal({ id: terminalId(1), spec, name: null, run: runId(999), now: 0 }).terminal
  for (const [index, draft] of sequence.entries()) {
    if (terminal === null) break
    const event = eventFor(draft, terminal, index)
    const after = step(terminal, event, index)
    moments.push({ before: terminal, event, after })
    terminal = after.terminal
  }
  return moments
}

const always = (promise: (moments: readonly Moment[]) => void) =>
  fc.assert(
    fc.property(drafts, (sequence) => promise(lifeOf(sequence))),
    { numRuns: 400 },
  )

describe('under any sequence of events', () => {
  test('a terminal keeps its id, and only a close ends it', () => {
    always((moments) => {
      const asked = moments.findIndex(({ event }) => event.kind === 'closeAsked')
      for (const [index, { after }] of moments.entries()) {
        if (after.terminal === null) expect(asked).toSatisfy((at: number) => at !== -1 && at <= index)
        else expect(after.terminal.id).toBe(terminalId(1))
      }
    })
  })

  test('a terminal is forgotten exactly when it ends', () => {
    always((moments) => {
      for (const { after } of moments) expect(after.effects.some(({ kind }) => kind === 'forget')).toBe(after.terminal === null)
    })
  })

  test('there is never more than one run alive, and the state names it', () => {
    always((moments) => {
      const alive = new Set([runId(999)])
      for (const { event, after } of moments) {
        if (event.kind === 'exited' || event.kind === 'startFailed' || event.kind === 'holderLost') endRun(alive, event, after.terminal)
        for (const effect of after.effects) {
          if (effect.kind !== 'spawn') continue
          expect(alive.size).toBe(0)
          alive.add(effect.run)
        }
        const run = after.terminal === null ? null : currentRun(after.terminal)
        expect([...alive]).toEqual(run === null ? [] : [run])
      }
    })
  })

  test('what must survive is written before anything that cannot be undone', () => {
    always((moments) => {
      for (const { after } of moments) expect(after.effects).toSatisfy(keepsBeforeKill)
    })
  })

  test('a state holds exactly its own fields', () => {
    always((moments) => {
      for (const { after } of moments) if (after.terminal !== null) expect(after.terminal).toSatisfy(holdsOnlyItsOwn)
    })
  })

  test('it is announced exactly when something changed', () => {
    always((moments) => {
      for (const { before, after } of moments) {
        const changed = JSON.stringify(after.terminal) !== JSON.stringify(before)
        expect(after.effects.some(({ kind }) => kind === 'announce')).toBe(changed)
        if (!changed) expect(after.terminal).toBe(before)
      }
    })
  })

  test('a run is ended only because the user asked for it', () => {
    always((moments) => {
      for (const { before, event, after } of moments) {
        const asked = before.state === 'settling' || event.kind === 'sleepAsked' || event.kind === 'closeAsked'
        if (after.effects.some(({ kind }) => kind === 'kill' || kind === 'settle')) expect(asked).toBe(true)
      }
    })
  })

  test('a known conversation is never lost; only one that was chosen gives way, to what was there before', () => {
    always((moments) => {
      for (const { before, event, after } of moments)
        if (before.restore.kind === 'conversation' && after.terminal !== null) {
          if ('previousRestore' in before && before.previousRestore !== null && after.terminal.restore === before.previousRestore) continue
          const { kind } = after.terminal.restore
          expect(kind).toBe(event.kind === 'agentLeft' && kind === 'quit' ? 'quit' : 'conversation')
          expect(after.terminal.restore).toHaveProperty('id', expect.stringMatching(/./))
        }
    })
  })

  test('titles never hold a control character', () => {
    always((moments) => {
      for (const { after } of moments) if (after.terminal !== null) expect(after.terminal.title).not.toMatch(/\p{Cc}/u)
    })
  })
})

/** `startFailed` about a live run is nonsense, and ignored: the run goes on. */
function endRun(alive: Set<string>, event: Extract<TerminalEvent, { readonly run: string }>, after: Terminal | null): void {
  const stillThere = after !== null && currentRun(after) === event.run
  if (event.kind === 'startFailed' && stillThere) return
  alive.delete(event.run)
}

test('any event of another run leaves any terminal as it is', () => {
  const own = fc.integer({ min: 1, max: 5 }).map(runId)
  const foreign = fc.integer({ min: 6, max: 9 }).map(runId)
  fc.assert(
    fc.property(arbitraryTerminal(terminalId(1), own), arbitraryEvent(foreign), (terminal, event) => {
      fc.pre('run' in event && event.kind !== 'wakeAsked')
      expect(step(terminal, event, 5)).toEqual({ terminal, effects: [] })
    }),
  )
})
