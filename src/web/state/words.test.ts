import { expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { AgentView, Because, TerminalView } from '../../wire/view.ts'
import {
  agentWordsOf,
  commandOf,
  describe,
  historyWords,
  howLong,
  nameOf,
  restWordsOf,
  shortPath,
  sizeNoteOf,
  wakeChoicesOf,
  wakeWordsOf,
} from './words.ts'

const live = terminalView()
const asleep = (because: Because) => terminalView({ state: 'asleep', because, run: null })

test('every state has a mark and a sentence, and no two reasons to be asleep read alike', () => {
  const reasons = [
    asleep({ kind: 'slept' }),
    asleep({ kind: 'lost' }),
    asleep({ kind: 'failed', reason: 'no such command', resumed: null }),
    asleep({ kind: 'failed', reason: 'no such command', resumed: 'r1' }),
    asleep({ kind: 'exited', status: { code: 0 } }),
    asleep({ kind: 'exited', status: { code: 1 } }),
    asleep({ kind: 'exited', status: { signal: 'SIGKILL' } }),
  ]
  const words = [live, terminalView({ state: 'waking' }), terminalView({ state: 'settling' }), ...reasons].map(describe)
  expect(words.map(({ mark }) => mark)).toEqual(['live', 'turning', 'turning', 'asleep', 'warning', 'bad', 'bad', 'ended', 'bad', 'bad'])
  expect(new Set(words.map(({ state }) => state)).size).toBe(words.length)
})

test('what may be done about a terminal that sleeps follows from what is offered and how it went', () => {
  const offers = { resume: 'claude --continue', conversation: true, fresh: 'claude hi' }
  const labels = (view: TerminalView) => wakeChoicesOf(view).map(({ label }) => label)
  const slept = { ...asleep({ kind: 'slept' }), offers }
  const failed = { ...asleep({ kind: 'failed', reason: 'it ended with code 1 at once', resumed: 'r1' }), offers }
  expect(labels(slept)).toEqual(['Wake', 'Restart fresh'])
  expect(labels({ ...asleep({ kind: 'lost' }), offers })).toEqual(['Resume', 'Restart fresh'])
  const back = { kind: 'new-conversation', agent: 'Claude Code', text: 'new conversation' } as const
  expect(labels({ ...asleep({ kind: 'lost' }), offers, back })).toEqual(['New conversation', 'Restart fresh'])
  expect(labels(failed)).toEqual(['Try again', 'Another conversation…', 'Restart fresh'])
  expect(labels({ ...failed, offers: { ...offers, conversation: false } })).toEqual(['Try again', 'Restart fresh'])
  const shell = { resume: null, conversation: false, fresh: 'zsh' }
  expect(labels({ ...slept, offers: shell })).toEqual(['Wake'])
  expect(labels({ ...asleep({ kind: 'exited', status: { code: 0 } }), offers: shell })).toEqual(['Start again'])
  expect(labels(live)).toEqual([])
  expect(wakeChoicesOf(slept).map(({ text }) => text)).toEqual(['claude --continue', 'claude hi'])
})

test('a terminal that sleeps says why, since when, where it was, what it goes on with and what it freed', () => {
  const context = { directory: '/home/mia/src/app', branch: 'fix', agent: 'Claude Code', pullRequest: null, freedBytes: 312_400_000 }
  const slept = { ...asleep({ kind: 'slept', context }), since: 0 }
  expect(restWordsOf(slept, 7_200_000)).toEqual({
    head: 'Asleep for 2 h',
    facts: ['~/src/app · fix', 'Claude Code', '312 MB of memory freed'],
    pullRequest: null,
  })
  const head = (because: Because) => restWordsOf({ ...asleep(because), since: 0 }, 60_000).head
  expect(head({ kind: 'slept', by: 'idle' })).toBe('Asleep for 1 min: it was idle')
  expect(head({ kind: 'slept', by: 'memory' })).toBe('Asleep for 1 min: memory was low')
  expect(head({ kind: 'exited', status: { code: 3 } })).toBe('Ended with code 3, 1 min ago')
  expect(head({ kind: 'lost' })).toBe('Interrupted 1 min ago')
  expect(head({ kind: 'failed', reason: 'it ended with code 1 at once', resumed: 'r1' })).toBe(
    'Could not resume 1 min ago: it ended with code 1 at once',
  )
  expect(restWordsOf({ ...slept, private: true }, 0).facts[0]).toBe('Private: its output was not kept.')
})

test('a wake says how far it is', () => {
  expect(wakeWordsOf(live)).toBeNull()
  expect(wakeWordsOf(terminalView({ state: 'waking' }))).toBe('Starting…')
  expect(wakeWordsOf({ ...asleep({ kind: 'lost' }), wakePhase: 'checking' })).toBe('Checking what can be resumed…')
  expect(wakeWordsOf({ ...live, wakePhase: 'resuming' })).toBe('Resuming…')
})

test('a terminal that cannot be reached says so, whatever it was', () => {
  expect(describe({ ...live, trouble: 'Its holder does not answer.' })).toEqual({ mark: 'warning', state: 'Its holder does not answer.' })
})

test('a terminal is called by its name, else by its title, else by its command', () => {
  expect([{ ...live, name: 'api', title: 'vim' }, { ...live, title: 'vim' }, live].map(nameOf)).toEqual(['api', 'vim', 'zsh'])
})

test('the command says what is in front of it', () => {
  expect(commandOf(live)).toBe('zsh')
  expect(commandOf({ ...live, args: ['-l'], foreground: 'vim' })).toBe('zsh -l › vim')
})

test('an agent that needs somebody says so, since when, and what it asks', () => {
  const agent = { name: 'claude', label: 'Claude Code', pid: 7, wants: null, words: 'Run it?', model: null, title: null, tokens: null }
  const words = (state: AgentView['state']) => agentWordsOf({ ...live, agent: { ...agent, state, since: 0 } }, 180_000)
  expect(words('needs-you')).toEqual({ mark: 'warning', state: 'Claude Code · needs you, 3 min', words: 'Run it?' })
  expect(words('working')?.state).toBe('Claude Code · working, 3 min')
  expect(agentWordsOf({ ...live, agent: { ...agent, state: 'done', since: 179_999 } }, 180_000)?.state).toBe('Claude Code · done')
  expect([words('unknown'), agentWordsOf(live, 0)]).toEqual([null, null])
})

test('only the home directory itself is shortened', () => {
  expect(['/home/mia', '/home/mia/a', '/Users/mia/a', '/root', '/rooted', '/homely/a', '/'].map(shortPath)).toEqual([
    '~',
    '~/a',
    '~/a',
    '~',
    '/rooted',
    '/homely/a',
    '/',
  ])
})

test('an age has one unit', () => {
  expect([0, 59_999, 60_000, 7_200_000, 200_000_000].map((age) => howLong(0, age))).toEqual(['now', 'now', '1 min', '2 h', '2 d'])
})

test('why a terminal has another size than its place is said in words, with a button only where it helps', () => {
  const place = { size: { cols: 120, rows: 40 }, client: 7 }
  const note = (sizedBy: TerminalView['sizedBy']) => {
    const { text, canLead } = sizeNoteOf({ ...live, sizedBy }, place) ?? { text: '', canLead: false }
    return `${text}${canLead ? ' [Fit to this window]' : ''}`
  }
  const looker = { client: 8, who: 'page' }
  expect([
    note({ kind: 'client', client: 8, who: 'attach' }),
    note({ kind: 'client', ...looker }),
    note({ kind: 'smallest', cols: looker, rows: looker }),
    note({ kind: 'fixed' }),
    note({ kind: 'hand' }),
    note({ kind: 'nobody' }),
  ]).toEqual([
    'Sized by attach on this machine: 80×24 [Fit to this window]',
    'Sized by another page: 80×24 [Fit to this window]',
    'Sized for the smallest window: 80×24',
    'Fixed at 80×24',
    'Set to 80×24 by hand [Fit to this window]',
    'Sized for another window (80×24) [Fit to this window]',
  ])
})

test('nothing is said where the size fits, is on its way, or nothing runs', () => {
  const other = { size: { cols: 120, rows: 40 }, client: 7 }
  const mine: TerminalView = { ...live, sizedBy: { kind: 'client', client: 7, who: 'page' } }
  expect(sizeNoteOf(live, { size: live.size, client: 7 })).toBeNull()
  expect(sizeNoteOf(mine, other)).toBeNull()
  expect(sizeNoteOf(asleep({ kind: 'slept' }), other)).toBeNull()
  expect(sizeNoteOf(live, { size: null, client: null })).toBeNull()
})

test('the top of the history says which of its ends it is', () => {
  const notes = (['fetching', 'beginning', 'gone', 'deepest'] as const).map(historyWords)
  expect(new Set(notes).size).toBe(4)
  expect(notes[1]).toBe('Beginning of history')
})

test('the address of a pull request becomes a link only where it is one of the web', () => {
  const pullRequest = { number: 7, title: 'Fix', url: 'https://github.com/a/b/pull/7', state: 'OPEN' }
  const wordsFor = (url: string) => {
    const context = { directory: '/src', branch: 'main', agent: null, freedBytes: null, pullRequest: { ...pullRequest, url } }
    return restWordsOf(asleep({ kind: 'slept', context }), 0).pullRequest
  }
  expect(wordsFor(pullRequest.url)).toEqual(pullRequest)
  expect(wordsFor('javascript:alert(1)')).toBeNull()
})
