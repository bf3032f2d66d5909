/** For each agent that takes hooks: where they stand, which events are reported, and how a handler is written. */
import { hookCommand } from './hookCommand.ts'
import { openCodePlugin } from './openCodePlugin.ts'
import type { Wanted } from './settings.ts'

export type HookTarget = {
  readonly agent: string
  readonly label: string
  /** Its command, by which it is found. */
  readonly program: string
  /** The directory of its settings: the variable that names it, else a path below the home directory. */
  readonly directory: (env: Readonly<Record<string, string | undefined>>, home: string) => string
  /** Below that directory. */
  readonly file: string
  readonly events: readonly string[]
  readonly content:
    | { readonly kind: 'settings'; readonly wanted: (program: string) => Wanted }
    /** A file that is ours as a whole. */
    | { readonly kind: 'plugin'; readonly text: (program: string) => string }
  /** What the user has to know after an installation; null when nothing. */
  readonly then: string | null
}

const SECONDS = 5 // a hook takes a tenth of a second; an agent waits for it no longer than this
const MILLISECONDS = SECONDS * 1_000

const under =
  (name: string, fallback: string): HookTarget['directory'] =>
  (env, home) =>
    env[name] || `${home}/${fallback}`

const settings = (agent: string, events: readonly string[], handler: (command: string) => object): HookTarget['content'] => ({
  kind: 'settings',
  wanted: (program) => Object.fromEntries(events.map((event) => [event, handler(hookCommand({ agent, event, program }))])),
})

const CLAUDE_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Notification', 'Stop', 'SessionEnd']
const CODEX_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'Interrupt', 'SessionEnd']
const GEMINI_EVENTS = ['SessionStart', 'BeforeAgent', 'Notification', 'AfterTool', 'AfterAgent', 'SessionEnd']
export const OPENCODE_EVENTS = [
  'session.created',
  'session.status',
  'session.idle',
  'permission.asked',
  'permission.replied',
  'question.asked',
  'question.replied',
  'question.rejected',
]

export const HOOK_TARGETS: readonly HookTarget[] = [
  {
    ...{ agent: 'claude', label: 'Claude Code', program: 'claude', file: 'settings.json', events: CLAUDE_EVENTS },
    directory: under('CLAUDE_CONFIG_DIR', '.claude'),
    content: settings('claude', CLAUDE_EVENTS, (command) => ({ type: 'command', command, timeout: SECONDS })),
    then: null,
  },
  {
    ...{ agent: 'codex', label: 'Codex', program: 'codex', file: 'hooks.json', events: CODEX_EVENTS },
    directory: under('CODEX_HOME', '.codex'),
    content: settings('codex', CODEX_EVENTS, (command) => ({ type: 'command', command, timeout: SECONDS })),
    then: 'Codex asks once whether it may run them; until you say yes it does not.',
  },
  {
    ...{ agent: 'gemini', label: 'Gemini CLI', program: 'gemini', file: 'settings.json', events: GEMINI_EVENTS },
    directory: (_env, home) => `${home}/.gemini`,
    content: settings('gemini', GEMINI_EVENTS, (command) => ({ name: 'holdfast', type: 'command', command, timeout: MILLISECONDS })),
    then: null,
  },
  {
    ...{ agent: 'opencode', label: 'opencode', program: 'opencode', file: 'plugin/holdfast.js', events: OPENCODE_EVENTS },
    directory: (env, home) => env['OPENCODE_CONFIG_DIR'] || `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/opencode`,
    content: { kind: 'plugin', text: (program) => openCodePlugin(program, OPENCODE_EVENTS) },
    then: null,
  },
]

export const hookTarget = (agent: string): HookTarget | null => HOOK_TARGETS.find((target) => target.agent === agent) ?? null
