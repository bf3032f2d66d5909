import { describe, expect, test } from 'vitest'
import { asleep, kept, live, runId, settling, spec, terminalId, waking } from '../../../test/support/terminals.ts'
import { assertKeepBeforeKill, keepsBeforeKill } from './keepBeforeKill.ts'
import { newTerminal, step } from './step.ts'
import type { Restore, Terminal } from './terminal.ts'

const run = runId(1)
const later = 5_000
const kinds = (outcome: { readonly effects: readonly { readonly kind: string }[] }) => outcome.effects.map(({ kind }) => kind)
const conversation = (id: string): Restore => ({
  kind: 'conversation',
  agent: 'claude',
  id,
  provenance: 'hook',
  argv: ['claude', '--resume', id],
})

const context = { directory: '/src', branch: 'main', agent: 'Claude Code', pullRequest: null, freedBytes: 5 }

describe('a new terminal', () => {
  test('is kept before its first run is spawned', () => {
    const born = newTerminal({ id: terminalId(1), spec, name: 'api', run, now: 7 })
    expect(born.terminal).toEqual(waking({ name: 'api', since: 7, created: 7, touched: 7 }))
    expect(born.effects).toEqual([{ kind: 'keep' }, { kind: 'spawn', run, mode: 'fresh' }, { kind: 'announce' }])
  })
})

describe('waking', () => {
  test('an asleep terminal gets the new run and remembers the picture it had', () => {
    const before = asleep({ lastRun: runId(8) })
    const { terminal, effects } = step(before, { kind: 'wakeAsked', run, mode: 'resume' }, later)
    expect(terminal).toEqual(waking({ since: later, touched: later, mode: 'resume', previousRun: runId(8) }))
    const after = { because: before.because, since: before.since }
    expect(effects).toEqual([{ kind: 'keep' }, { kind: 'spawn', run, mode: 'resume', after }, { kind: 'announce' }])
  })

  test.each([waking(), live(), settling()])('a terminal that is $state does not wake', (terminal) => {
    expect(step(terminal, { kind: 'wakeAsked', run: runId(2), mode: 'fresh' }, later)).toEqual({ terminal, effects: [] })
  })

  test('a started run makes it live', () => {
    const { terminal, effects } = step(waking(), { kind: 'started', run, pid: 100, holderPid: 99, mode: 'fresh' }, later)
    expect(terminal).toEqual(live({ since: later, touched: later }))
    expect(effects).toEqual([{ kind: 'keep' }, { kind: 'announce' }])
  })

  test('a failed start says why, and shows the picture from before', () => {
    const { terminal, effects } = step(waking({ previousRun: runId(8) }), { kind: 'startFailed', run, reason: 'no \x1bzsh' }, later)
    expect(terminal).toEqual(asleep({ since: later, because: { kind: 'failed', reason: 'no zsh', resumed: null }, lastRun: runId(8) }))
    expect(effects).toEqual([{ kind: 'keep' }, { kind: 'announce' }])
  })

  test('a program that ends before it was seen to start leaves its exit', () => {
    const outcome = step(waking(), { kind: 'exited', run, status: { code: 3 } }, later)
    expect(outcome.terminal).toEqual(asleep({ since: later, because: { kind: 'exited', status: { code: 3 } }, lastRun: run, unread: true }))
    expect(kinds(outcome)).toEqual(['keepScreen', 'keep', 'releaseHolder', 'announce'])
  })

  test('a close during the wake waits for the run, so that none leaks', () => {
    const closing = step(waking(), { kind: 'closeAsked', graceMs: 100 }, later)
    expect(closing.terminal).toEqual(settling({ pid: null, holderPid: null, then: 'close', deadline: later + 100, touched: later }))
    const started = step(closing.terminal!, { kind: 'started', run, pid: 100, holderPid: 99, mode: 'fresh' }, later + 40)
    expect(started.terminal).toMatchObject({ state: 'settling', pid: 100, holderPid: 99 })
    expect(started.effects).toEqual([{ kind: 'keep' }, { kind: 'settle', run, graceMs: 60, then: 'close' }, { kind: 'announce' }])
    expect(kinds(step(closing.terminal!, { kind: 'startFailed', run, reason: '' }, later))).toEqual(['forget', 'announce'])
  })
})

describe('live', () => {
  test('an exit is kept before the holder may leave', () => {
    const outcome = step(live(), { kind: 'exited', run, status: { signal: 'SIGTERM' } }, later)
    const because = { kind: 'exited', status: { signal: 'SIGTERM' } } as const
    expect(outcome.terminal).toEqual(asleep({ since: later, because, lastRun: run, unread: true }))
    expect(kinds(outcome)).toEqual(['keepScreen', 'keep', 'releaseHolder', 'announce'])
  })

  test('a lost holder leaves it asleep with its picture', () => {
    const outcome = step(live(), { kind: 'holderLost', run }, later)
    expect(outcome.terminal).toEqual(asleep({ since: later, because: { kind: 'lost' }, lastRun: run }))
    expect(kinds(outcome)).toEqual(['keepScreen', 'keep', 'announce'])
  })

  test('sleep keeps screen and record before the program is asked to finish', () => {
    const outcome = step(live(), { kind: 'sleepAsked', graceMs: 300 }, later)
    expect(outcome.terminal).toEqual(settling({ deadline: later + 300, touched: later }))
    expect(outcome.effects).toEqual([
      { kind: 'keepScreen', run },
      { kind: 'keep' },
      { kind: 'announce' },
      { kind: 'settle', run, graceMs: 300, then: 'sleep' },
    ])
  })

  test('how it came to sleep is kept before anything ends, and is what it is asleep because of', () => {
    const slept = { by: 'idle', context } as const
    const { terminal } = step(live(), { kind: 'sleepAsked', graceMs: 300, slept }, later)
    expect(terminal).toEqual(settling({ deadline: later + 300, touched: later, slept }))
    for (const end of [
      { kind: 'exited', run, status: { code: 0 } },
      { kind: 'holderLost', run },
    ] as const)
      expect(step(terminal!, end, later).terminal).toMatchObject({ state: 'asleep', because: { kind: 'slept', by: 'idle', context } })
  })

  test('what another run says changes nothing', () => {
    const terminal = live()
    expect(step(terminal, { kind: 'exited', run: runId(2), status: { code: 0 } }, later)).toEqual({ terminal, effects: [] })
    expect(step(asleep({ lastRun: run }), { kind: 'titled', run, title: 'late' }, later).effects).toEqual([])
  })
})

describe('settling', () => {
  test('ends in sleep, whatever the exit status was', () => {
    const outcome = step(settling(), { kind: 'exited', run, status: { code: 143 } }, later)
    expect(outcome.terminal).toEqual(asleep({ since: later, lastRun: run }))
    expect(kinds(outcome)).toEqual(['keep', 'releaseHolder', 'announce'])
    expect(step(settling(), { kind: 'holderLost', run }, later).terminal).toEqual(asleep({ since: later, lastRun: run }))
  })

  test('out of time, the run is killed and the terminal waits for its end', () => {
    const terminal = settling()
    expect(step(terminal, { kind: 'settleTimedOut', run }, later)).toEqual({ terminal, effects: [{ kind: 'keep' }, { kind: 'kill', run }] })
  })

  test('a close replaces the sleep and never grants more time', () => {
    const shorter = step(settling({ deadline: 9_000 }), { kind: 'closeAsked', graceMs: 10 }, later)
    expect(shorter.terminal).toMatchObject({ then: 'close', deadline: later + 10 })
    expect(kinds(shorter)).toEqual(['keep', 'settle', 'announce'])
    const longer = step(settling({ deadline: 5_001 }), { kind: 'closeAsked', graceMs: 10 }, later)
    expect(longer.terminal).toMatchObject({ then: 'close', deadline: 5_001 })
    expect(kinds(longer)).toEqual(['keep', 'announce'])
  })

  test('one that is closed instead still knows where it was, in case that is taken back', () => {
    const closing = step(settling({ slept: { context } }), { kind: 'closeAsked', graceMs: 10 }, later).terminal
    expect(closing).toMatchObject({ then: 'close', slept: { context } })
    expect(step(closing!, { kind: 'exited', run, status: { code: 0 } }, later).terminal).toBeNull()
  })

  test('a sleep does not undo a close', () => {
    const terminal = settling({ then: 'close' })
    expect(step(terminal, { kind: 'sleepAsked', graceMs: 1 }, later)).toEqual({ terminal, effects: [] })
  })

  test('the end of a closed run is the end of the terminal', () => {
    const terminal = settling({ then: 'close' })
    const exited = step(terminal, { kind: 'exited', run, status: { code: 0 } }, later)
    const forget = { kind: 'forget', record: asleep({ since: later, lastRun: run }) }
    expect(exited).toEqual({ terminal: null, effects: [forget, { kind: 'releaseHolder', run }, { kind: 'announce' }] })
    expect(step(terminal, { kind: 'holderLost', run }, later)).toEqual({
      terminal: null,
      effects: [forget, { kind: 'announce' }],
    })
  })

  test('an agent that says its conversation while it finishes is heard', () => {
    const outcome = step(settling(), { kind: 'conversationSeen', run, restore: conversation('one'), agent: 'claude' }, later)
    expect(outcome.terminal).toEqual(settling({ restore: conversation('one') }))
    expect(kinds(outcome)).toEqual(['keep', 'announce'])
  })
})

test('an asleep terminal that is closed is forgotten, and comes back as it was', () => {
  const record = asleep({ because: { kind: 'lost' } })
  expect(step(record, { kind: 'closeAsked', graceMs: 1 }, later)).toEqual({
    terminal: null,
    effects: [{ kind: 'forget', record }, { kind: 'announce' }],
  })
})

describe('a conversation', () => {
  const see = (terminal: Terminal, restore: Restore, agent: string | null = null) =>
    step(terminal, { kind: 'conversationSeen', run, restore, agent }, later)

  test('follows the rotation of its id', () => {
    expect(see(live({ restore: conversation('one') }), conversation('two')).terminal).toMatchObject({ restore: conversation('two') })
  })

  test.each([{ kind: 'shell' }, { kind: 'unknown', agent: 'claude' }, conversation('')] satisfies Restore[])(
    'is not overwritten with less ($kind)',
    (less) => {
      const terminal = live({ restore: conversation('one'), agent: 'claude' })
      expect(see(terminal, less)).toEqual({ terminal, effects: [] })
    },
  )

  test('without an id is not taken even when nothing is known', () => {
    expect(see(live(), conversation('')).effects).toEqual([])
  })

  test('is left together with its agent, which is written down, and can still be named', () => {
    const outcome = step(live({ restore: conversation('one'), agent: 'claude' }), { kind: 'agentLeft', run, agent: 'claude' }, later)
    expect(outcome.terminal).toMatchObject({ restore: { kind: 'quit', agent: 'claude', id: 'one' }, agent: null })
    expect(kinds(outcome)).toEqual(['keep', 'announce'])
  })

  test('stays when another agent is left', () => {
    const outcome = step(live({ restore: conversation('one'), agent: 'codex' }), { kind: 'agentLeft', run, agent: 'codex' }, later)
    expect(outcome.terminal).toMatchObject({ restore: conversation('one'), agent: null })
    expect(step(outcome.terminal!, { kind: 'agentLeft', run, agent: 'codex' }, later).effects).toEqual([])
  })

  test('is no longer the one that was left when an agent has come again', () => {
    const terminal = live({ restore: { kind: 'quit', agent: 'claude', id: 'one' } })
    expect(see(terminal, { kind: 'shell' }, 'claude').terminal).toMatchObject({ restore: { kind: 'shell' }, agent: 'claude' })
  })
})

describe('details', () => {
  test('a title is stripped of control characters, bounded, shown, and not written each time', () => {
    const outcome = step(live(), { kind: 'titled', run, title: `\x1b]0;a\u202eb\u0007${'x'.repeat(100_000)}` }, later)
    expect(outcome.terminal).toMatchObject({ title: `]0;ab${'x'.repeat(251)}` })
    expect(kinds(outcome)).toEqual(['announce'])
  })

  test.each([
    [
      { kind: 'renamed', name: 'api' },
      { name: 'api', touched: later },
    ],
    [
      { kind: 'themed', theme: 'dark' },
      { theme: 'dark', touched: later },
    ],
    [
      { kind: 'pinnedSet', pinned: true },
      { pinned: true, touched: later },
    ],
    [
      { kind: 'mutedSet', muted: true },
      { muted: true, touched: later },
    ],
    [{ kind: 'resized', size: { cols: 100, rows: 30 } }, { spec: { ...spec, size: { cols: 100, rows: 30 } } }],
  ] as const)('%o is kept once, and silent when it changes nothing', (event, changes) => {
    const outcome = step(asleep(), event, later)
    expect(outcome.terminal).toEqual({ ...asleep(), ...changes })
    expect(kinds(outcome)).toEqual(['keep', 'announce'])
    expect(step(outcome.terminal!, event, later + 1)).toEqual({ terminal: outcome.terminal, effects: [] })
  })

  test('what is news in it is kept and told once, until somebody has looked; that is kept and told once too', () => {
    const news = step(live(), { kind: 'noticed', run }, later)
    expect(news).toEqual({ terminal: live({ unread: true }), effects: [{ kind: 'keep' }, { kind: 'announce' }] })
    expect(step(live({ unread: true }), { kind: 'noticed', run }, later).effects).toEqual([])
    const looked = step(live({ unread: true }), { kind: 'looked' }, later)
    expect(looked).toEqual({ terminal: live(), effects: [{ kind: 'keep' }, { kind: 'announce' }] })
    expect(step(live(), { kind: 'looked' }, later).effects).toEqual([])
    expect(step(asleep({ unread: true }), { kind: 'looked' }, later).terminal).toEqual(asleep())
  })

  test('is news also of a muted terminal: nobody is called, yet it can be seen', () => {
    expect(step(live({ muted: true }), { kind: 'noticed', run }, later).terminal).toEqual(live({ muted: true, unread: true }))
  })

  test('what a program does while it is made to end, or another run did, is no news', () => {
    expect(step(settling(), { kind: 'noticed', run }, later).effects).toEqual([])
    expect(step(live(), { kind: 'noticed', run: runId(9) }, later).effects).toEqual([])
    expect(step(settling(), { kind: 'exited', run, status: { code: 0 } }, later).terminal?.unread).toBe(false)
  })

  test.each([
    { cols: 1, rows: 24 },
    { cols: 80, rows: 0 },
    { cols: 80.5, rows: 24 },
    { cols: Number.NaN, rows: 24 },
    { cols: 1001, rows: 24 },
  ])('the size $cols×$rows is ignored', (size) => {
    expect(step(live(), { kind: 'resized', size }, later).effects).toEqual([])
  })

  test('link and foreground are shown while live', () => {
    const down = step(live(), { kind: 'linkChanged', run, link: { kind: 'unreachable', why: 'gone' } }, later)
    expect(down.terminal).toEqual(live({ link: { kind: 'unreachable', why: 'gone' } }))
    const vim = step(live(), { kind: 'foregroundSeen', run, foreground: { pid: 7, name: 'vi\x07m' } }, later)
    expect(vim.terminal).toEqual(live({ foreground: { pid: 7, name: 'vim' } }))
    expect([kinds(down), kinds(vim)]).toEqual([['announce'], ['announce']])
    expect(step(settling(), { kind: 'linkChanged', run, link: { kind: 'unreachable', why: 'gone' } }, later).effects).toEqual([])
  })
})

describe('keep before kill', () => {
  test('an array that kills first is noticed', () => {
    expect(keepsBeforeKill([{ kind: 'kill', run }, { kind: 'keep' }])).toBe(false)
    expect(
      keepsBeforeKill([
        { kind: 'keepScreen', run },
        { kind: 'settle', run, graceMs: 0, ...{ then: 'sleep' } },
      ]),
    ).toBe(false)
    expect(() => assertKeepBeforeKill([{ kind: 'releaseHolder', run }])).toThrow('keep must come before kill: releaseHolder')
    expect(keepsBeforeKill([{ kind: 'announce' }])).toBe(true)
    expect(
      keepsBeforeKill([
        { kind: 'forget', record: asleep() },
        { kind: 'releaseHolder', run },
      ]),
    ).toBe(true)
  })
})

test('kept fields pass through a whole life unharmed', () => {
  const details = kept({ name: 'api', theme: 'dark', pinned: true, muted: true, unread: true, restore: conversation('one'), title: 'hi' })
  const end = [
    { kind: 'wakeAsked', run, mode: 'resume' },
    { kind: 'started', run, pid: 1, holderPid: 2, mode: 'fresh' },
    { kind: 'sleepAsked', graceMs: 1 },
    { kind: 'exited', run, status: { code: 0 } },
  ] as const
  const terminal = end.reduce<Terminal>((before, event) => step(before, event, later).terminal!, { ...asleep(), ...details })
  expect(terminal).toEqual({ ...asleep(), ...details, since: later, touched: later, lastRun: run })
})
