/** Claude Code. Its registry names the conversation of each process, its projects hold the transcripts. */

import type { Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { at, jsonLines, listAt, numberAt, parseJson, shownWords, sumAt, textAt, timeAt } from '../decode.ts'
import { firstFile, isSelf, pathOf, report, SLACK_MS, spellingsOf, TAIL_BYTES, transcriptAt } from '../files.ts'
import { CLAUDE_FLAGS } from '../flags/claude.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { SPINNER, shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

/** Its --help leaves these out. */
const HIDDEN = flagTable({
  none: '--cowork --debug-to-stderr -d2e --deep-link-origin --enable-auth-status --enable-auto-mode --init --init-only --maintenance',
  one: `
    --advisor --agent-color --agent-id --agent-name --append-subagent-system-prompt --append-subagent-system-prompt-file
    --append-system-prompt-file --fast-mode --inherit-permission-mode --managed-settings --max-thinking-tokens --max-turns
    --parent-session-id --permission-prompt-tool --plugin-dir-no-mcp --prefill --proactivity --session-began-as-copy
    --system-prompt-file --task-budget --team-name --teammate-mode --thinking --workload
  `,
  optional: '--rc --remote',
  many: '--channels --dangerously-load-development-channels',
})

export const claude = plainAgent({
  id: 'claude',
  label: 'Claude Code',
  // The native installer runs a file that is named after its version.
  recognise: { names: ['claude'], paths: ['/@anthropic-ai/claude-code/', '/share/claude/versions/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'commander',
    takes: { ...CLAUDE_FLAGS, ...HIDDEN },
    choosing: wordsOf(`
      --resume -r --continue -c --session-id --from-pr --fork-session --teleport --environment --parent-session-id --session-began-as-copy
    `),
    prompting: ['--file', '--prefill'],
    once: ['--worktree', '-w', '--tmux', '--name', '-n', '--init', '--maintenance', '--deep-link-origin'],
    notConversation: wordsOf(`
      -p --print -h --help -v --version --bg --background --cloud --remote --desktop --init-only
      agents attach auth auto-mode config doctor gateway import install kill logs mcp plugin plugins purge remote-control respawn rm
      setup-token stop ultrareview update upgrade
    `),
  },
  configEnv: ['CLAUDE_CONFIG_DIR'],
  quit: { kind: 'signal', signal: 'SIGTERM' },
  exitHint: /Resume this session with: ?claude (?:\S+ ){0,60}?--resume ([0-9a-f-]{36})/i,
  findings: claudeFindings,
  transcript: claudeTranscript,
  reading: claudeReading,
  shown: shownBy({
    asks: { question: /^\s*(?:Do you want|Would you like) to\b|\byou trust\b/, choice: /^\s+❯ \d+\. \S/ },
    titles: [
      [SPINNER, 'working'],
      [/^✳/, 'idle'],
    ],
    prompt: /^❯(?:\s|$)/,
    busy: /\besc to interrupt\b/,
  }),
})

/** Where Claude Code keeps its conversations, and which of its processes has which. */
const baseOf = ({ env, home }: PlaceLook): string => env['CLAUDE_CONFIG_DIR'] || `${home}/.claude`

async function claudeFindings(look: Look): Promise<readonly Finding[]> {
  const entry = await registryEntry(look)
  const id = textAt(entry, 'sessionId')
  if (id === null) return []
  return [{ id, provenance: 'registration', transcript: await pathOf(look, id, claudeTranscript), began: null }]
}

/** Its file stays when it is killed: another process with this number must not be taken for it. */
async function registryEntry(look: Look): Promise<unknown> {
  const { selves, startedAt } = look.process
  for (const self of selves) {
    const entry = parseJson(await look.readText(`${baseOf(look)}/sessions/${self.pid}.json`))
    const space = /pid:\[(\d+)\]$/.exec(textAt(entry, 'pidDomain') ?? '')?.[1] ?? null
    const told = { pid: numberAt(entry, 'pid'), start: textAt(entry, 'procStart'), space }
    if (isSelf(self, told) && isOfThisStart(entry, startedAt)) return entry
  }
  return undefined
}

const isOfThisStart = (entry: unknown, startedAt: number): boolean => (numberAt(entry, 'startedAt') ?? startedAt) >= startedAt - SLACK_MS

async function claudeTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const projects = `${baseOf(look)}/projects`
  const usual = (await spellingsOf(look)).map((cwd) => `${projects}/${encoded(cwd)}/${id}.jsonl`)
  const found = await firstFile(look, usual)
  if (found !== null) return { kind: 'there', path: found.path }
  // Names of deep directories are cut in a way of its own, and a conversation stays where it began.
  const all = await look.list(projects)
  const elsewhere = await firstFile(
    look,
    all.filter(({ isDirectory }) => isDirectory).map(({ path }) => `${path}/${id}.jsonl`),
  )
  return transcriptAt(elsewhere?.path ?? null)
}

const encoded = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-')

async function claudeReading(look: Look, { transcript }: Pick<Finding, 'transcript'>): Promise<Reading | null> {
  const entry = await registryEntry(look)
  const turn = transcript === null ? null : claudeTurn(await look.readText(transcript, { tail: TAIL_BYTES }))
  if (entry === undefined && turn === null) return null
  const registered = registeredState(entry, turn?.state?.words ?? null)
  const name = textAt(entry, 'nameSource') === 'derived' ? null : textAt(entry, 'name')
  return {
    state: better(registered, turn?.state ?? null),
    model: turn?.model ?? null,
    title: turn?.title ?? shownWords(name),
    tokens: turn?.tokens ?? null,
  }
}

/** That it waits for an answer the transcript may know more exactly: a question is no permission. */
function better(registered: StateReport | null, turn: StateReport | null): StateReport | null {
  if (registered === null) return turn
  const asks = registered.state === 'needs-you' && turn?.state === 'needs-you'
  return asks ? { ...registered, wants: turn.wants, words: turn.words ?? registered.words } : registered
}

function registeredState(entry: unknown, words: string | null): StateReport | null {
  const time = numberAt(entry, 'statusUpdatedAt') ?? numberAt(entry, 'updatedAt')
  if (time === null) return null
  switch (at(entry, 'status')) {
    case 'idle':
      return report('registration', 'idle', time, { words })
    case 'busy':
      return report('registration', 'working', time)
    case 'waiting': {
      const waitingFor = textAt(entry, 'waitingFor')
      const wants = waitingFor?.includes('permission') === true ? 'permission' : 'question'
      return report('registration', 'needs-you', time, { wants, words: shownWords(waitingFor) })
    }
    default:
      return null
  }
}

/** What the end of a transcript of Claude Code says about how it does. */
function claudeTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail)
    .filter((entry) => at(entry, 'isSidechain') !== true)
    .toReversed()
  const answer = newestFirst.find((entry) => at(entry, 'type') === 'assistant' && textAt(entry, 'message', 'model') !== '<synthetic>')
  const state = newestFirst.reduce<StateReport | null>((found, entry) => found ?? stateIn(entry), null)
  return {
    state,
    model: shownWords(textAt(answer, 'message', 'model')),
    title: titleIn(newestFirst),
    tokens: sumAt(at(answer, 'message', 'usage'), USAGE),
  }
}

const USAGE = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']

const TITLES = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' } as const

/** What the user has called it before what it calls itself. */
function titleIn(newestFirst: readonly unknown[]): string | null {
  for (const [type, key] of Object.entries(TITLES)) {
    const title = shownWords(
      textAt(
        newestFirst.find((entry) => at(entry, 'type') === type),
        key,
      ),
    )
    if (title !== null) return title
  }
  return null
}

/** Null for entries that say nothing about whose turn it is. */
function stateIn(entry: unknown): StateReport | null {
  const time = timeAt(entry, 'timestamp')
  if (time === null || at(entry, 'isMeta') === true || at(entry, 'isCompactSummary') === true) return null
  switch (at(entry, 'type')) {
    case 'assistant':
      return afterAnswer(entry, time)
    case 'user':
      return afterUser(entry, time)
    default:
      return null
  }
}

const QUESTIONS = new Set<unknown>(['AskUserQuestion', 'ExitPlanMode'])

function afterAnswer(entry: unknown, time: number): StateReport {
  const content = listAt(entry, 'message', 'content')
  const tools = content.filter((part) => at(part, 'type') === 'tool_use')
  const words = shownWords(textsOf(content))
  if (tools.length > 0 && tools.every((tool) => QUESTIONS.has(at(tool, 'name'))))
    return report('transcript', 'needs-you', time, { wants: 'question', words: questionOf(tools[0]) ?? words })
  const isFinished = tools.length === 0 && ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'].includes(stopReason(entry))
  return isFinished ? report('transcript', 'idle', time, { words }) : report('transcript', 'working', time)
}

const stopReason = (entry: unknown): string => textAt(entry, 'message', 'stop_reason') ?? ''

const questionOf = (tool: unknown): string | null => shownWords(textAt(listAt(tool, 'input', 'questions')[0], 'question'))

/** Commands of its own, and what they print, are no turn. */
const LOCAL = /^\s*<(?:command-|local-command-|bash-|system-reminder|user-memory-)/

function afterUser(entry: unknown, time: number): StateReport | null {
  const content = at(entry, 'message', 'content')
  const said = typeof content === 'string' ? content : (textsOf(listAt(entry, 'message', 'content')) ?? '')
  if (said.startsWith('[Request interrupted by user')) return report('transcript', 'idle', time)
  return LOCAL.test(said) ? null : report('transcript', 'working', time)
}

function textsOf(content: readonly unknown[]): string | null {
  const texts = content.flatMap((part) => (at(part, 'type') === 'text' ? (textAt(part, 'text') ?? []) : []))
  return texts.length === 0 ? null : texts.join(' ')
}
