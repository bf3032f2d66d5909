/**
 * Records that come from another machine: an imported file, or a database that was copied here. Nothing in them is believed.
 * Each record is built anew from validated parts: asleep, never woken automatically, without an environment and without a backend of
 * its own, and a resume is the agent's own recipe. It is marked as imported until the user has confirmed its command.
 */
import { type Agent, PROVENANCES } from '../../agents/agent.ts'
import { argsOf, carriedFlags } from '../../agents/argv.ts'
import { commandName, scriptOf } from '../../agents/program.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { isSize } from '../../base/size.ts'
import { argumentsText } from '../command/commandText.ts'
import { isRect } from '../layout/canvas.ts'
import { COLORS } from '../layout/groups.ts'
import type { Group, Topology, Workspace } from '../layout/topology.ts'
import { isName } from '../name.ts'
import { isConversationId } from '../resume/chosenConversation.ts'
import type { Conversation } from '../terminal/resume.ts'
import type { Asleep, Restore, Spec, Terminal } from '../terminal/terminal.ts'
import { isSafeText, MAX_TITLE_LENGTH, safeText } from '../text.ts'
import type { Wrapper } from '../wrapper/wrapper.ts'
import { type AgentMetadata, type Checkpoint, type CheckpointTerminal, shownRun } from './checkpoint.ts'

/** What the records are judged by here. */
export type Here = {
  readonly agents: readonly Agent[]
  /** In place of a command or directory that cannot be one. */
  readonly shell: string
  readonly home: string
  readonly now: number
  /** The name of the machine they come from. */
  readonly from: string
}

const MOST_WORDS = 1_000
const LONGEST_WORD = 32_768 // characters; Linux takes four times as much in one argument
const LONGEST_PATH = 4_096
const LONGEST_NAME = 80
const LONGEST_LINE = 500 // characters of a command line that is only read
const USUAL_SIZE = { cols: 80, rows: 24 }

export const checkpointFromElsewhere = (checkpoint: Checkpoint, here: Here): Checkpoint => ({
  ...checkpoint,
  note: checkpoint.note === null ? null : safeText(checkpoint.note, MAX_TITLE_LENGTH),
  topology: topologyFromElsewhere(checkpoint.topology),
  terminals: checkpoint.terminals.map((entry) => entryFromElsewhere(entry, here)),
})

function entryFromElsewhere({ terminal, cwd, agent, screen }: CheckpointTerminal, here: Here): CheckpointTerminal {
  return {
    terminal: terminalFromElsewhere(terminal, here),
    cwd: cwd !== null && isPath(cwd) ? cwd : null,
    agent: agent === null ? null : metadataFromElsewhere(agent, here),
    env: {},
    screen,
  }
}

/** Every field is named here: what a later version adds to a record does not come along by itself. */
export function terminalFromElsewhere(terminal: Terminal, here: Here): Asleep {
  const { id, name, spec, title, theme, pinned, muted, private: isPrivate, restore, created } = terminal
  return {
    id,
    name: name !== null && isName(name) ? name : null,
    spec: specFromElsewhere(spec, here),
    lastRun: shownRun(terminal),
    title: safeText(title, MAX_TITLE_LENGTH),
    theme: theme === null ? null : safeText(theme, LONGEST_NAME),
    pinned,
    muted,
    unread: false,
    private: isPrivate,
    restore: restoreFromElsewhere(restore, here),
    onRestore: 'sleep',
    created: Number.isFinite(created) ? Math.min(created, here.now) : here.now,
    touched: here.now,
    imported: { from: safeText(here.from, LONGEST_NAME), at: here.now },
    state: 'asleep',
    since: here.now,
    because: { kind: 'slept' },
  }
}

/** The command is the user's to judge, at the first wake; a command that cannot be shown as it is becomes a shell. */
function specFromElsewhere({ command, args, cwd, size, withheld }: Spec, { shell, home }: Here): Spec {
  const isCommand = command !== '' && [command, ...args].every(isWord) && args.length <= MOST_WORDS
  return {
    ...(isCommand ? { command, args } : { command: shell, args: [] }),
    cwd: isPath(cwd) ? cwd : home,
    env: {},
    size: isSize(size) ? { cols: size.cols, rows: size.rows } : USUAL_SIZE,
    // Without this, a private command would look as if it had never had arguments.
    ...(withheld === undefined ? {} : { withheld }),
  }
}

const NO_CONVERSATION: Restore = { kind: 'shell' }

function restoreFromElsewhere(restore: Restore, { agents }: Here): Restore {
  if (restore.kind === 'shell') return NO_CONVERSATION
  const agent = agentNamed(agents, restore.agent)
  if (agent === null) return NO_CONVERSATION
  if (restore.kind === 'unknown') return { kind: 'unknown', agent: agent.id }
  if (restore.kind === 'quit') {
    const id = restore.id !== null && agent.idPattern.test(restore.id) ? restore.id : null
    return { kind: 'quit', agent: agent.id, id, ...wrapperFromElsewhere(restore.wrapper) }
  }
  return conversationFromElsewhere(restore, agent)
}

/**
 * The agent's recipe for an id of its own shape, with the flags that it carries along. An argv that begins with anything but
 * the agent is not believed: then there is only the terminal's own command.
 */
function conversationFromElsewhere(restore: Conversation, agent: Agent): Restore {
  const { kind: _kind, agent: _agent, id, provenance, argv, cwd, env: _env, wrapper, ...unknown } = restore
  const program = programOf(agent, argv)
  if (program === null || Object.keys(unknown).length > 0 || !isConversationId(id) || !agent.idPattern.test(id)) return NO_CONVERSATION
  if (agent.resume === null) return { kind: 'unknown', agent: agent.id }
  const flags = carriedFlags(agent, [program, ...argsOf(agent, argv)])
  if (flags.length > MOST_WORDS || !flags.every(isWord)) return NO_CONVERSATION
  return {
    kind: 'conversation',
    agent: agent.id,
    id,
    provenance: PROVENANCES.find((known) => known === provenance) ?? 'latest',
    argv: [program, ...agent.resume(id), ...flags],
    ...(cwd !== undefined && isPath(cwd) ? { cwd } : {}),
    ...wrapperFromElsewhere(wrapper),
  }
}

/** A wrapper is a command line that the file chose: it is shown, and the user says whether the agent runs without it. */
function wrapperFromElsewhere(wrapper: Wrapper | undefined): { readonly wrapper?: Wrapper } {
  if (wrapper === undefined || wrapper.kind === 'none') return wrapper === undefined ? {} : { wrapper: { kind: 'none' } }
  const ran = wrapper.kind === 'unsure' ? wrapper.ran : argumentsText([...wrapper.before, ...(wrapper.text?.words ?? [])])
  return { wrapper: { kind: 'unsure', ran: safeText(ran, LONGEST_LINE), why: 'the command line comes from another machine' } }
}

/** By its name alone, as the user's own PATH has it; null where something else was started in front of it. */
function programOf(agent: Agent, argv: readonly string[]): string | null {
  const { names, paths } = agent.recognise
  const named = (path: string): string | undefined => names.find((name) => name === commandName(path))
  const [first] = argv
  if (first === undefined || first === '') return agent.id
  const own = named(first)
  if (own !== undefined) return own
  const script = scriptOf(argv)
  if (script === null) return null
  return named(script.path) ?? (paths.some((part) => script.path.includes(part)) ? agent.id : null)
}

function metadataFromElsewhere({ agent, conversation }: AgentMetadata, { agents }: Here): AgentMetadata | null {
  const known = agentNamed(agents, agent)
  if (known === null) return null
  return { agent: known.id, conversation: conversation !== null && known.idPattern.test(conversation) ? conversation : null, details: {} }
}

/** Line breaks and tabs are part of many a script; every other control character is no part of a command. */
const isWord = (word: string): boolean => word.length <= LONGEST_WORD && isSafeText(word.replace(/[\n\t]/g, ''))

const isPath = (path: string): boolean => path.startsWith('/') && path.length <= LONGEST_PATH && isSafeText(path)

/** What it says about terminals is mended against the records, as everywhere. */
export const topologyFromElsewhere = ({ groups, dock }: Topology): Topology => ({ groups: groups.map(groupFromElsewhere), dock })

const groupFromElsewhere = ({ id, name, color, workspaces }: Group): Group => ({
  id,
  name: nameFromElsewhere(name),
  color: COLORS.find((known) => known === color) ?? COLORS[0],
  workspaces: workspaces.map(workspaceFromElsewhere),
})

const workspaceFromElsewhere = ({ id, name, layout, canvas, view }: Workspace): Workspace => ({
  id,
  name: nameFromElsewhere(name),
  layout,
  canvas: Object.fromEntries(Object.entries(canvas).filter(([, rect]) => isRect(rect))),
  view,
})

const nameFromElsewhere = (name: string): string => (isName(name) ? name : 'imported')
