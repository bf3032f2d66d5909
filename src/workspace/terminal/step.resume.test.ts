import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryEvent, asleep, live, runId, settling, spec, waking } from '../../../test/support/terminals.ts'
import { sameValue } from '../sameValue.ts'
import type { TerminalEvent } from './events.ts'
import { keepsBeforeKill } from './keepBeforeKill.ts'
import type { Conversation } from './resume.ts'
import { lastWordsIn, PROVED_AFTER_MS } from './resumeFailure.ts'
import { step } from './step.ts'
import { currentRun, type Restore, type Terminal } from './terminal.ts'

const run = runId(1)
const old = runId(8)
const claude = { ...spec, command: 'claude', args: ['fix it'] }
const conversation = (id: string): Conversation => ({
  kind: 'conversation',
  agent: 'claude',
  id,
  provenance: 'hook',
  argv: ['claude', '-r', id],
})
const kinds = (outcome: { readonly effects: readonly { readonly kind: string }[] }) => outcome.effects.map(({ kind }) => kind)
const since = 1_000
const resumed = live({ spec: claude, mode: 'resume', since, previousRun: old, restore: conversation('known') })
const exit = (status: { readonly code: number } | { readonly signal: string }) => ({ kind: 'exited', run, status }) as const

describe('a resume that ends at once and not well', () => {
  test('has failed: it says so, shows the picture from before, and keeps what can be resumed', () => {
    const outcome = step(resumed, exit({ code: 1 }), since + 2_000)
    expect(outcome.terminal).toEqual(
      asleep({
        spec: claude,
        since: since + 2_000,
        lastRun: old,
        restore: conversation('known'),
        because: { kind: 'failed', reason: 'it ended with code 1 after 2 s', resumed: run },
      }),
    )
    expect(kinds(outcome)).toEqual(['hearLastWords', 'keep', 'releaseHolder', 'announce'])
  })

  test.each([
    ['a good end', { code: 0 }, 0, 'exited'],
    ['a bad end', { code: 2 }, 0, 'failed'],
    ['a signal', { signal: 'SIGSEGV' }, 0, 'failed'],
    ['the last moment', { code: 2 }, PROVED_AFTER_MS, 'failed'],
    ['after it has gone on', { code: 2 }, PROVED_AFTER_MS + 1, 'exited'],
  ])('is told from others: %s', (_, status, after, because) => {
    const { terminal } = step(resumed, exit(status), since + after)
    expect(terminal).toMatchObject({ because: { kind: because }, lastRun: because === 'failed' ? old : run })
  })

  test('is judged by when it ended, not by when that was seen', () => {
    expect(step(resumed, { ...exit({ code: 1 }), at: since + 10 }, since + 900_000).terminal).toMatchObject({ because: { kind: 'failed' } })
  })

  test('is only a resume: a fresh start that ends badly has ended', () => {
    const fresh = { ...resumed, mode: 'fresh' as const }
    expect(step(fresh, exit({ code: 1 }), since).terminal).toMatchObject({ because: { kind: 'exited' }, lastRun: run })
  })

  test('has not failed when the user put it to sleep', () => {
    expect(step(settling({ run }), exit({ code: 1 }), 5).terminal).toMatchObject({ because: { kind: 'slept' }, lastRun: run })
  })

  test('shows itself where there is nothing from before', () => {
    expect(step({ ...resumed, previousRun: null }, exit({ code: 1 }), since).terminal).toMatchObject({ lastRun: run })
  })

  test('quotes the last words of its program, once and without control characters', () => {
    const failed = step(resumed, exit({ code: 1 }), since).terminal!
    const heard = step(failed, { kind: 'lastWordsHeard', run, words: '\x1b[31mNo conversation found ' }, since + 5)
    expect(heard.terminal).toMatchObject({ because: { reason: 'it ended with code 1 at once and said: [31mNo conversation found' } })
    expect(kinds(heard)).toEqual(['keep', 'announce'])
    expect(step(heard.terminal!, { kind: 'lastWordsHeard', run, words: 'again' }, since + 6).effects).toEqual([])
    expect(step(failed, { kind: 'lastWordsHeard', run: old, words: 'another run' }, since + 6).effects).toEqual([])
    expect(step(failed, { kind: 'lastWordsHeard', run, words: ' ' }, since + 6).effects).toEqual([])
    const long = step(failed, { kind: 'lastWordsHeard', run, words: 'x'.repeat(10_000) }, since + 6).terminal
    expect(long?.state === 'asleep' && long.because.kind === 'failed' ? long.because.reason.length : 0).toBeLessThan(400)
  })

  test('is lost, not failed, when its holder goes; its picture from before stays all the same', () => {
    expect(step(resumed, { kind: 'holderLost', run }, since + 5).terminal).toMatchObject({ because: { kind: 'lost' }, lastRun: old })
    expect(step(resumed, { kind: 'holderLost', run }, since + 60_000).terminal).toMatchObject({ because: { kind: 'lost' }, lastRun: run })
  })
})

const chosen = (id: string): Conversation => ({ ...conversation(id), provenance: 'user' })

describe('another conversation', () => {
  const sleeping = asleep({ spec: claude, lastRun: old, restore: conversation('known') })
  const asked = (id: string) => step(sleeping, { kind: 'wakeAsked', run, mode: 'resume', chosen: chosen(id) }, since)

  test('becomes what is resumed, and what was known before is remembered', () => {
    const { terminal, effects } = asked('other')
    expect(terminal).toMatchObject({
      state: 'waking',
      mode: 'resume',
      restore: chosen('other'),
      previousRestore: conversation('known'),
    })
    expect(effects).toMatchObject([{ kind: 'keep' }, { kind: 'spawn', run, mode: 'resume' }, { kind: 'announce' }])
  })

  test('may be chosen where the user had left the agent, and that is remembered', () => {
    const left: Restore = { kind: 'quit', agent: 'claude', id: 'known' }
    const event = { kind: 'wakeAsked', run, mode: 'resume', chosen: chosen('other') } as const
    expect(step(asleep({ lastRun: old, restore: left }), event, since).terminal).toMatchObject({ previousRestore: left })
  })

  test('that fails gives way to the known one, whichever way it fails', () => {
    const trying = asked('other').terminal!
    const begun = step(trying, { kind: 'started', run, pid: 1, holderPid: 2, mode: 'resume' }, since).terminal!
    for (const { terminal } of [
      step(begun, exit({ code: 1 }), since + 100),
      step(trying, { kind: 'startFailed', run, reason: 'no claude' }, since),
      step(trying, { kind: 'holderLost', run }, since),
      step(trying, exit({ code: 1 }), since),
    ])
      expect(terminal).toMatchObject({ state: 'asleep', restore: conversation('known'), lastRun: old })
  })

  test('that goes on stays, and so does one that was seen', () => {
    const begun = step(asked('other').terminal!, { kind: 'started', run, pid: 1, holderPid: 2, mode: 'resume' }, since).terminal!
    expect(step(begun, exit({ code: 0 }), since + 100).terminal).toMatchObject({ restore: { id: 'other' } })
    expect(step(begun, exit({ code: 1 }), since + 60_000).terminal).toMatchObject({ restore: { id: 'other' } })
    const seen = step(begun, { kind: 'conversationSeen', run, restore: conversation('rotated'), agent: 'claude' }, since + 50).terminal!
    expect(step(seen, exit({ code: 1 }), since + 100).terminal).toMatchObject({ restore: { id: 'rotated' }, because: { kind: 'failed' } })
    const blind = step(begun, { kind: 'conversationSeen', run, restore: { kind: 'shell' }, agent: null }, since + 50).terminal!
    expect(step(blind, exit({ code: 1 }), since + 100).terminal).toMatchObject({ restore: conversation('known') })
  })
})

describe('a wake that is refused', () => {
  const reason = 'The conversation is gone'
  const sleeping = asleep({ spec: claude, lastRun: old, restore: conversation('known'), because: { kind: 'lost' } })

  test('starts nothing, says why, and costs neither the picture nor the conversation', () => {
    const { terminal, effects } = step(sleeping, { kind: 'wakeRefused', reason }, since)
    expect(terminal).toEqual({ ...sleeping, because: { kind: 'failed', reason, resumed: null } })
    expect(effects).toEqual([{ kind: 'keep' }, { kind: 'announce' }])
    expect(step(terminal!, { kind: 'wakeRefused', reason }, since).effects).toEqual([]) // it has been said
  })

  test('says nothing about a terminal that somebody else has woken', () => {
    expect(step(resumed, { kind: 'wakeRefused', reason }, since)).toEqual({ terminal: resumed, effects: [] })
  })
})

test('the last words of a screen are its last line that says anything', () => {
  expect(lastWordsIn('first\nNo conversation found\n  \n\n')).toBe('No conversation found')
  expect(lastWordsIn('\n')).toBe('')
})

/** Everything that can happen to an agent's terminal, in any order, at any pace. */
type Moment = { readonly before: Terminal; readonly event: TerminalEvent; readonly after: ReturnType<typeof step> }
const drafts = fc.array(
  fc.record({ event: arbitraryEvent(fc.constant(run)), waits: fc.constantFrom(0, 500, 3_000, PROVED_AFTER_MS + 1) }),
  { maxLength: 60, size: 'max' }, // short lives seldom come as far as a live agent
)

function lifeOf(sequence: readonly { readonly event: TerminalEvent; readonly waits: number }[]): readonly Moment[] {
  const moments: Moment[] = []
  let terminal: Terminal | null = asleep({ spec: claude, lastRun: old, restore: conversation('known') })
  let now = since
  for (const [index, { event: draft, waits }] of sequence.entries()) {
    if (terminal === null) break
    now += waits
    const current = currentRun(terminal) ?? run
    const event = !('run' in draft) ? draft : { ...draft, run: draft.kind === 'wakeAsked' ? runId(1_000 + index) : current }
    const after = step(terminal, event, now)
    moments.push({ before: terminal, event, after })
    terminal = after.terminal
  }
  return moments
}

const always = (promise: (moment: Moment) => void) =>
  fc.assert(
    fc.property(drafts, (sequence) => {
      for (const moment of lifeOf(sequence)) promise(moment)
    }),
    { numRuns: 500 },
  )

describe('whatever happens to an agent', () => {
  test('a conversation is known for ever; only one that was chosen gives way, to the one before, and one that was left, to an agent that comes', () => {
    always(({ before, event, after: { terminal } }) => {
      if (terminal === null) return
      const chosen = 'previousRestore' in before ? before.previousRestore : null
      const givesWay = before.restore.kind === 'quit' ? event.kind === 'conversationSeen' : sameValue(terminal.restore, chosen)
      if ('id' in before.restore && before.restore.id !== null && !givesWay)
        expect(terminal.restore).toHaveProperty('id', expect.stringMatching(/./))
      if (terminal.state === 'asleep' && terminal.because.kind === 'failed' && chosen !== null) expect(terminal.restore).toEqual(chosen)
    })
  })

  test('a resume that fails shows what was shown before it, and is never followed by anything unasked', () => {
    always(({ before, after: { terminal, effects } }) => {
      expect(effects).toSatisfy(keepsBeforeKill)
      if (terminal?.state !== 'asleep' || terminal.because.kind !== 'failed' || before.state === 'asleep') return
      expect(before.state).not.toBe('settling')
      expect(terminal.lastRun).toBe('previousRun' in before ? before.previousRun : null)
      expect(effects.map(({ kind }) => kind)).not.toContain('spawn')
    })
  })

  test('any number of resumes that fail leave the picture and the conversation as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.boolean(), (times, choosing) => {
        let terminal: Terminal = asleep({ spec: claude, lastRun: old, restore: conversation('known') })
        for (let time = 0; time < times; time += 1) {
          const next = runId(100 + time)
          const wish = choosing ? { chosen: chosen(`wrong-${time}`) } : {}
          terminal = step(terminal, { kind: 'wakeAsked', run: next, mode: 'resume', ...wish }, since).terminal!
          terminal = step(terminal, { kind: 'started', run: next, pid: 1, holderPid: 2, mode: 'resume' }, since).terminal!
          terminal = step(terminal, { kind: 'exited', run: next, status: { code: 1 } }, since + 50).terminal!
        }
        expect(terminal).toMatchObject({ state: 'asleep', lastRun: old, restore: conversation('known'), because: { kind: 'failed' } })
      }),
    )
  })
})

test('a wake that was lost before its program began goes back to what was there', () => {
  const begun = waking({ mode: 'resume', previousRun: old, previousRestore: conversation('known'), restore: conversation('other') })
  expect(step(begun, { kind: 'holderLost', run }, 9).terminal).toMatchObject({ lastRun: old, restore: conversation('known') })
})
