/**
 * src/agents/hooks: how Holdfast's hooks are written into the settings of agents, removed without a trace (settings.ts, jsonEdit.ts),
 * and read when they report (hookEvent.ts). Text in, text out; the CLI does the writing. This file says for each agent where its hooks
 * stand, which events are reported, and how a handler is written.
 */
import { isOurPlugin, openCodePlugin } from './openCodePlugin.ts'
import { type Edited, hookCommand, installed, isEmptySettings, presence, removed, type Wanted } from './settings.ts'

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
    then: 'Codex asks once before it runs them.',
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

/** A file with hooks before and after, whichever kind of file it is. */

export type Presence =
  | { readonly kind: 'installed' | 'absent' | 'changed' }
  /** `why` completes "FILE …". */
  | { readonly kind: 'unusable'; readonly why: string }

type Content = Pick<HookTarget, 'content'>

const FOREIGN = 'was not written by Holdfast'

export function textWith({ content }: Content, text: string | null, program: string): Edited {
  if (content.kind === 'settings') return installed(text, content.wanted(program))
  return text === null || isOurPlugin(text) ? { ok: true, text: content.text(program) } : { ok: false, why: FOREIGN }
}

export function presenceIn(target: Content, text: string | null, program: string): Presence {
  if (text === null) return { kind: 'absent' }
  const { content } = target
  const edited = textWith(target, text, program)
  if (!edited.ok) return { kind: 'unusable', why: edited.why }
  if (content.kind === 'settings') return { kind: presence(text, content.wanted(program)) }
  return { kind: edited.text === text ? 'installed' : 'changed' }
}

/** A `text` of null: there is nothing left to be a file. */
type Without = { readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly why: string }

/** `backups` are what the file was before our installations, newest first. */
export function textWithout(
  target: Content,
  text: string,
  options: { readonly program: string; readonly backups: readonly string[] },
): Without {
  const { content } = target
  if (content.kind === 'plugin') return isOurPlugin(text) ? { ok: true, text: null } : { ok: false, why: FOREIGN }
  const without = options.backups.filter((backup) => presenceIn(target, backup, options.program).kind === 'absent')
  const exact = without.find((backup) => isText(textWith(target, backup, options.program), text))
  if (exact !== undefined) return { ok: true, text: exact }
  const before = without[0] ?? null
  const edited = removed(text, { before })
  return edited.ok && before === null && isEmptySettings(edited.text) && edited.text !== text ? { ok: true, text: null } : edited
}

const isText = (edited: Edited, text: string): boolean => edited.ok && edited.text === text
