import fc from 'fast-check'
import { makeId, type RunId, type TerminalId, type WorkspaceId } from '../../src/base/ids.ts'
import type { TerminalEvent } from '../../src/workspace/terminal/events.ts'
import {
  type Asleep,
  type Because,
  type ExitStatus,
  type Kept,
  type Link,
  type Live,
  ON_RESTORE,
  type Restore,
  type Settling,
  type Slept,
  type Spec,
  type Terminal,
  type Waking,
} from '../../src/workspace/terminal/terminal.ts'

/** Literals and arbitraries of the domain, for tests. A number always makes the same id. */
const bytesOf = (number: number) => (count: number) => Uint8Array.from({ length: count }, (_, at) => Math.floor(number / 32 ** at) % 32)

export const terminalId = (number: number): TerminalId => makeId('terminal', bytesOf(number))
export const runId = (number: number): RunId => makeId('run', bytesOf(number))
export const workspaceId = (number: number): WorkspaceId => makeId('workspace', bytesOf(number))
export const groupId = (number: number) => makeId('group', bytesOf(number))

export const spec: Spec = { command: 'zsh', args: ['-l'], cwd: '/home/ada', env: {}, size: { cols: 80, rows: 24 } }

export function kept(changes: Partial<Kept> = {}): Kept {
  const details = {
    title: '',
    theme: null,
    pinned: false,
    muted: false,
    unread: false,
    private: false,
    restore: { kind: 'shell' },
    onRestore: 'policy',
    created: 1,
    touched: 1,
  } as const
  return { id: terminalId(1), name: null, spec, lastRun: null, ...details, ...changes }
}

const NO_TRIAL = { mode: 'fresh', previousRun: null, previousRestore: null } as const

type Changes<State> = Partial<Omit<State, 'state'>>

export function asleep(changes: Changes<Asleep> = {}): Asleep {
  return { ...kept(), state: 'asleep', since: 1, because: { kind: 'slept' }, ...changes }
}

export function waking(changes: Changes<Waking> = {}): Waking {
  const run = changes.run ?? runId(1)
  return { ...kept({ lastRun: run }), state: 'waking', run, since: 1, ...NO_TRIAL, ...changes }
}

export function live(changes: Changes<Live> = {}): Live {
  const run = changes.run ?? runId(1)
  const seen = { pid: 100, holderPid: 99, link: { kind: 'connected' }, foreground: null, agent: null } as const
  return { ...kept({ lastRun: run }), state: 'live', run, since: 1, ...seen, ...NO_TRIAL, ...changes }
}

export function settling(changes: Changes<Settling> = {}): Settling {
  const run = changes.run ?? runId(1)
  const { then = 'sleep' } = changes
  return { ...kept({ lastRun: run }), state: 'settling', run, pid: 100, holderPid: 99, deadline: 1_000, ...changes, then }
}

const KEPT_KEYS = [
  'id',
  'name',
  'spec',
  'lastRun',
  'title',
  'theme',
  'pinned',
  'muted',
  'unread',
  'private',
  'restore',
  'onRestore',
  'created',
  'touched',
  'state',
] as const

/** Exactly what each state may hold. */
export const STATE_KEYS = {
  asleep: [...KEPT_KEYS, 'since', 'because'],
  waking: [...KEPT_KEYS, 'run', 'since', 'mode', 'previousRun', 'previousRestore'],
  live: [...KEPT_KEYS, 'run', 'since', 'pid', 'holderPid', 'link', 'foreground', 'agent', 'mode', 'previousRun', 'previousRestore'],
  settling: [...KEPT_KEYS, 'run', 'pid', 'holderPid', 'deadline', 'then'],
} as const satisfies Record<Terminal['state'], readonly string[]>

export const holdsOnlyItsOwn = (terminal: Terminal): boolean =>
  Object.keys(terminal)
    .filter((key) => key !== 'slept' || terminal.state !== 'settling')
    .sort()
    .join() === [...STATE_KEYS[terminal.state]].sort().join()

export const arbitraryStatus: fc.Arbitrary<ExitStatus> = fc.oneof(
  fc.record({ code: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ signal: fc.constantFrom('SIGTERM', 'SIGKILL') }),
)

const arbitrarySlept: fc.Arbitrary<Slept> = fc.constantFrom(
  { by: 'idle' },
  { context: { directory: '/src', branch: 'main', agent: 'Claude Code', pullRequest: null, freedBytes: 1 } },
)

const arbitraryBecause: fc.Arbitrary<Because> = fc.oneof(
  fc.constant<Because>({ kind: 'slept' }),
  arbitrarySlept.map((slept): Because => ({ kind: 'slept', ...slept })),
  fc.constant<Because>({ kind: 'lost' }),
  arbitraryStatus.map((status): Because => ({ kind: 'exited', status })),
  fc.constant<Because>({ kind: 'failed', reason: 'no such command', resumed: null }),
)

export const arbitraryLink: fc.Arbitrary<Link> = fc.constantFrom<Link>(
  { kind: 'connected' },
  { kind: 'unreachable', why: 'refused' },
  { kind: 'incompatible', speaks: '9' },
)

export const arbitraryRestore: fc.Arbitrary<Restore> = fc.oneof(
  fc.constant<Restore>({ kind: 'shell' }),
  fc.constant<Restore>({ kind: 'unknown', agent: 'claude' }),
  fc.constantFrom<Restore>({ kind: 'quit', agent: 'claude', id: 'one' }, { kind: 'quit', agent: 'claude', id: null }),
  fc
    .constantFrom('', 'one', 'two')
    .map((id): Restore => ({ kind: 'conversation', agent: 'claude', id, provenance: 'hook', argv: ['claude', '--resume', id] })),
)

/** A terminal in any state, whose run is one of the given ones; the picture from before a wake belongs to nobody else. */
export function arbitraryTerminal(id: TerminalId, runs: fc.Arbitrary<RunId>): fc.Arbitrary<Terminal> {
  const shared = { id, restore: { kind: 'shell' } } as const
  return fc.oneof(
    fc.record({ lastRun: fc.option(runs), because: arbitraryBecause }).map((changes): Terminal => asleep({ ...shared, ...changes })),
    fc.record({ run: runs, previousRun: fc.constantFrom(null, runId(77)) }).map((changes): Terminal => waking({ ...shared, ...changes })),
    fc.record({ run: runs, link: arbitraryLink }).map((changes): Terminal => live({ ...shared, ...changes })),
    fc.record({ run: runs, then: fc.constantFrom('sleep', 'close') }).map((changes): Terminal => settling({ ...shared, ...changes })),
  )
}

const mode = fc.constantFrom('resume' as const, 'fresh' as const)
const graceMs = fc.integer({ min: 0, max: 5_000 })

/** Any event; `runs` says which runs it may speak of. */
const CHOSEN = { kind: 'conversation', agent: 'claude', id: 'chosen', provenance: 'user', argv: ['claude', '--resume', 'chosen'] } as const

export function arbitraryEvent(runs: fc.Arbitrary<RunId>): fc.Arbitrary<TerminalEvent> {
  return fc.oneof(
    fc.record({ run: runs, kind: fc.constant('wakeAsked' as const), mode }),
    fc.record({ run: runs, kind: fc.constant('wakeAsked' as const), mode, chosen: fc.constant(CHOSEN) }),
    fc.record({ kind: fc.constant('wakeRefused' as const), reason: fc.string() }),
    fc.record({ run: runs, kind: fc.constant('started' as const), pid: fc.nat(), holderPid: fc.nat(), mode }),
    fc.record({ run: runs, kind: fc.constant('lastWordsHeard' as const), words: fc.string({ unit: 'binary' }) }),
    fc.record({ run: runs, kind: fc.constant('startFailed' as const), reason: fc.string() }),
    fc.record({ kind: fc.constantFrom('sleepAsked' as const, 'closeAsked' as const), graceMs }),
    fc.record({ kind: fc.constant('sleepAsked' as const), graceMs, slept: arbitrarySlept }),
    fc.record({ run: runs, kind: fc.constantFrom('settleTimedOut' as const, 'holderLost' as const) }),
    fc.record({ run: runs, kind: fc.constant('exited' as const), status: arbitraryStatus }),
    fc.record({ run: runs, kind: fc.constant('linkChanged' as const), link: arbitraryLink }),
    fc.record({
      run: runs,
      kind: fc.constant('foregroundSeen' as const),
      foreground: fc.option(fc.record({ pid: fc.nat(), name: fc.string() })),
    }),
    fc.record({
      run: runs,
      kind: fc.constant('conversationSeen' as const),
      restore: arbitraryRestore,
      agent: fc.constantFrom(null, 'claude', 'codex'),
    }),
    fc.record({ run: runs, kind: fc.constant('agentLeft' as const), agent: fc.constantFrom('claude', 'codex') }),
    fc.record({ run: runs, kind: fc.constant('titled' as const), title: fc.string({ unit: 'binary' }) }),
    fc.record({
      kind: fc.constant('resized' as const),
      size: fc.record({ cols: fc.integer({ min: 0, max: 90 }), rows: fc.integer({ min: 0, max: 30 }) }),
    }),
    fc.record({ kind: fc.constant('renamed' as const), name: fc.constantFrom(null, 'api', 'web') }),
    fc.record({ kind: fc.constant('themed' as const), theme: fc.constantFrom(null, 'dark') }),
    fc.record({ kind: fc.constant('pinnedSet' as const), pinned: fc.boolean() }),
    fc.record({ kind: fc.constant('mutedSet' as const), muted: fc.boolean() }),
    fc.record({ kind: fc.constant('looked' as const) }),
    fc.record({ run: runs, kind: fc.constant('noticed' as const) }),
    fc.record({ kind: fc.constant('onRestoreSet' as const), onRestore: fc.constantFrom(...ON_RESTORE) }),
  )
}
