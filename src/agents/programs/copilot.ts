/** GitHub Copilot CLI. In the directory of a conversation lies a file that its process holds open, and a lock that names the process. */
import type { Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { at, jsonLines, listAt, numberAt, shownWords, sumAt, textAt, timeAt } from '../decode.ts'
import { beganInRun, firstFile, pathOf, registered, report, TAIL_BYTES, transcriptAt } from '../files.ts'
import { COPILOT_FLAGS } from '../flags/copilot.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

const MOST_CONVERSATIONS = 200 // the newest: those of a running process are among them

export const copilot = plainAgent({
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  recognise: { names: ['copilot'], paths: ['/@github/copilot'] },
  resume: (id) => [`--resume=${id}`],
  assign: (id) => [`--session-id=${id}`],
  flags: {
    grammar: 'clap',
    takes: { ...COPILOT_FLAGS, ...flagTable({ optional: '--worktree' }) },
    choosing: ['--resume', '-r', '--continue', '--session-id', '--connect'],
    prompting: ['-i', '--interactive', '--attachment', '--fleet'],
    once: ['-C', '--worktree', '--name', '-n'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --environment-host app completion config help init instruction login lsp mcp memories
      plugin sandbox sessions skill update version workflow
    `),
  },
  exitHint: /Resume copilot --resume=([0-9a-f-]{36})/i,
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : copilotTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: shownBy({
    asks: { question: /^\s*│ (?:Do you want|Would you like) to\b/, choice: /^\s*│ ❯ \d+\. \S/ },
    prompt: /^╹▀{10,}/,
    busy: /^ \S .*\besc\b/,
  }),
})

const sessionsOf = ({ home }: PlaceLook): string => `${home}/.copilot/session-state`

const HOLD = /\/session-state\/([0-9a-f-]{36})\/inuse\.\d+\.hold$/i

/** That a process has the file open is proof, in a sandbox too, where the number in its name may be that of several processes. */
async function findings(look: Look): Promise<readonly Finding[]> {
  const held = (await look.openFiles()).flatMap((path) => HOLD.exec(path)?.[1] ?? [])
  const ids = held.length > 0 ? held : await locked(look)
  return registered(await Promise.all(ids.map(async (id) => ({ id, transcript: await pathOf(look, id, transcript) }))))
}

/** Versions that hold nothing open. Inside a sandbox the number in the name of a lock proves nothing. */
async function locked(look: Look): Promise<readonly string[]> {
  const pids = look.process.selves.flatMap(({ pid, isInside }) => (isInside ? [] : [pid]))
  if (pids.length === 0) return []
  const all = await look.list(sessionsOf(look))
  for (const { name: id, path } of all.toSorted((a, b) => b.modified - a.modified).slice(0, MOST_CONVERSATIONS)) {
    const lock = await firstFile(
      look,
      pids.map((pid) => `${path}/inuse.${pid}.lock`),
    )
    // A file from before this process started belongs to an earlier process with the same pid.
    if (lock === null || !beganInRun(lock.modified, look)) continue
    // The version that wrote this one holds a file open beside it, and this process does not: it is another one's.
    if ((await look.stat(lock.path.replace(/lock$/, 'hold'))) !== null) continue
    return [id]
  }
  return []
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  return transcriptAt((await firstFile(look, [`${sessionsOf(look)}/${id}/events.jsonl`]))?.path ?? null)
}

/** What the end of a transcript of GitHub Copilot CLI says about its state. */
export function copilotTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answered = new Set(newestFirst.flatMap((event) => (isCompleted(event) ? [textAt(event, 'data', 'requestId')] : [])))
  const answer = newestFirst.find((event) => at(event, 'type') === 'assistant.message')
  const usage = newestFirst.find((event) => at(event, 'type') === 'session.usage_record')
  return {
    state: newestFirst.reduce<StateReport | null>((found, event) => found ?? stateIn(event, answer, answered), null),
    model: shownWords(textAt(answer, 'data', 'model')),
    title: null,
    tokens: numberAt(usage, 'data', 'usage', 'totalTokens') ?? sumAt(at(usage, 'data', 'usage'), ['inputTokens', 'outputTokens']),
  }
}

const typeOf = (event: unknown): string => textAt(event, 'type') ?? ''
const isCompleted = (event: unknown): boolean => /\.completed$/.test(typeOf(event))

/** Null for events that say nothing about whose turn it is, such as those of hooks. */
function stateIn(event: unknown, answer: unknown, answered: ReadonlySet<string | null>): StateReport | null {
  const time = timeAt(event, 'timestamp')
  if (time === null) return null
  const type = typeOf(event)
  if (/\.requested$/.test(type)) return answered.has(textAt(event, 'data', 'requestId')) ? null : asked(event, type, time)
  switch (type) {
    case 'user.message':
    case 'assistant.turn_start':
    case 'assistant.message':
    case 'tool.execution_start':
    case 'tool.execution_complete':
    case 'permission.completed':
      return report('transcript', 'working', time)
    case 'assistant.turn_end':
      return afterTurn(answer, time)
    case 'abort':
    case 'session.error':
    case 'session.shutdown':
    case 'session.resume':
      return report('transcript', 'idle', time)
    default:
      return null
  }
}

/** After a turn that asked for tools comes the next one. */
function afterTurn(answer: unknown, time: number): StateReport {
  if (listAt(answer, 'data', 'toolRequests').length > 0) return report('transcript', 'working', time)
  return report('transcript', 'idle', time, { words: shownWords(textAt(answer, 'data', 'content')) })
}

function asked(event: unknown, type: string, time: number): StateReport {
  const isPermission = type === 'permission.requested'
  const request = at(event, 'data', 'permissionRequest')
  const words = isPermission ? (textAt(request, 'fullCommandText') ?? textAt(request, 'intention')) : textAt(event, 'data', 'question')
  return report('transcript', 'needs-you', time, { wants: isPermission ? 'permission' : 'question', words: shownWords(words) })
}
