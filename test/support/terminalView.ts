import type { ABSENT, AgentView, TerminalView } from '../../src/wire/view.ts'

type Lacked = keyof typeof ABSENT
type Value<Name extends Lacked> = TerminalView extends infer Each ? (Each extends { [Key in Name]: infer Type } ? Type : never) : never
/** A terminal as it stands in `--json`: with the fields of all states, null where its own does not have them. */
export type TerminalRow = Omit<TerminalView, Lacked> & { readonly [Name in Lacked]?: Value<Name> | null }

/** What a terminal in this state has for certain. */
const OWN = {
  live: {},
  waking: {},
  settling: { settlesTo: 'sleep' },
  asleep: { because: { kind: 'slept' }, offers: { resume: null, conversation: false, fresh: 'zsh' } },
} as const

/** A live shell, with whatever a test needs to be different. */
export const terminalView = <State extends TerminalView['state'] = 'live'>(
  changes: Partial<Omit<TerminalRow, 'state'>> & { readonly state?: State } = {},
): Extract<TerminalView, { readonly state: State }> =>
  ({
    id: 't1',
    name: null,
    title: '',
    state: 'live',
    because: null,
    trouble: null,
    run: 'r1',
    pid: 1,
    holderPid: 2,
    command: '/usr/bin/zsh',
    args: [],
    cwd: '/home/mia/src',
    size: { cols: 80, rows: 24 },
    backend: 'holder',
    tmuxSession: null,
    sizedBy: { kind: 'nobody' },
    workspace: 'w1',
    foreground: null,
    agent: null,
    conversation: null,
    provenance: null,
    mismatch: null,
    wakePhase: null,
    settlesTo: null,
    imported: null,
    activeAt: null,
    offers: null,
    back: null,
    directory: '/home/mia/src',
    repository: null,
    project: null,
    theme: null,
    pinned: false,
    muted: false,
    unread: false,
    onRestore: 'policy',
    created: 0,
    since: 0,
    ...(changes.state === undefined ? {} : OWN[changes.state]),
    ...changes,
  }) as unknown as Extract<TerminalView, { readonly state: State }>

/** An agent that needs somebody, with whatever a test needs to be different. */
export const agentView = (changes: Partial<AgentView> = {}): AgentView => ({
  name: 'claude',
  label: 'Claude Code',
  pid: 1,
  state: 'needs-you',
  wants: null,
  since: 0,
  words: null,
  model: null,
  title: null,
  tokens: null,
  ...changes,
})
