/** Qwen Code. As with Claude Code a file per process names its conversation. */

import type { FileSight, Finding, Look, PlaceLook, Reading, SelfName, Transcript } from '../agent.ts'
import { at, jsonLines, listAt, numberAt, parseJson, shownWords, textAt, timeAt } from '../decode.ts'
import {
  beganInRun,
  firstFile,
  HEAD_BYTES,
  isSelf,
  pathOf,
  registered,
  report,
  spellingsOf,
  stored,
  TAIL_BYTES,
  transcriptAt,
} from '../files.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { QWEN_FLAGS } from '../flags/qwen.ts'
import { SPINNER, shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

export const qwen = plainAgent({
  id: 'qwen',
  label: 'Qwen Code',
  recognise: { names: ['qwen'], paths: ['/@qwen-code/qwen-code/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'yargs',
    takes: { ...QWEN_FLAGS, ...flagTable({ none: '--experimental-acp --experimental-skills', one: '--sandbox-session-id' }) },
    choosing: ['-r', '--resume', '-c', '--continue', '--session-id', '--fork-session', '--sandbox-session-id'],
    prompting: ['-i', '--prompt-interactive', '--input-file'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --experimental-acp -l --list-extensions
      auth board channel extensions hooks mcp review sandbox serve sessions update
    `),
  },
  exitHint: /To continue this session, run ?qwen --resume ?([0-9a-f-]{36})/i,
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : qwenTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: shownBy({
    asks: { question: /^\s*(?:\? \S|Allow\b|Apply\b|Do you\b)/, choice: /^\s*› \d+\. \S/ },
    titles: [
      [/^✳/, 'needs-you'],
      [SPINNER, 'working'],
      [/^Qwen - /, 'idle'],
    ],
    prompt: /^[>!*] /,
    busy: /^\s*[⠀-⣿].*\besc to\b/,
    busyAbove: 4,
  }),
})

async function findings(look: Look): Promise<readonly Finding[]> {
  const records = (await Promise.all(look.process.selves.map((self) => recordOf(look, self)))).flat()
  const own = records.filter(({ isOwn }) => isOwn)
  if (own.length === 0) return records.length === 0 ? [] : await begunBeside(look, records)
  return registered(await Promise.all(own.map(async ({ id }) => ({ id, transcript: await pathOf(look, id, transcript) }))))
}

type Registration = { readonly id: string; readonly isOwn: boolean }

async function recordOf(look: Look, self: SelfName): Promise<readonly Registration[]> {
  const path = `${look.home}/.qwen/sessions/${self.pid}.json`
  const entry = parseJson(await look.readText(path))
  const id = textAt(entry, 'sessionId')
  const file = id === null ? null : await look.stat(path)
  if (id === null || file === null) return []
  const space = numberAt(entry, 'pidNs')
  const told = {
    pid: numberAt(entry, 'pid'),
    start: textAt(entry, 'procStart')?.split(':').at(-1) ?? null, // behind the id of the boot
    space: space === null ? null : String(space),
  }
  // A file from before this process started belongs to an earlier process with the same pid.
  return [{ id, isOwn: beganInRun(file.modified, look) && isSelf(self, told) }]
}

const MOST_BEGUN = 50
const RUNTIME = /^([0-9a-f-]{36})\.runtime\.json$/i

/**
 * Qwen Code does not write over the record of a process in another sandbox, alive or dead, and then has none. A file beside each
 * conversation has the number too, but no start and no space: only directory and times tell whose it is.
 */
async function begunBeside(look: Look, others: readonly Registration[]): Promise<readonly Finding[]> {
  const chats = (await spellingsOf(look)).map((cwd) => `${look.home}/.qwen/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/chats`)
  const files = (await Promise.all(chats.map((directory) => look.list(directory)))).flat()
  const recent = files.filter(({ name, modified }) => RUNTIME.test(name) && beganInRun(modified, look))
  const newest = recent.toSorted((a, b) => b.modified - a.modified).slice(0, MOST_BEGUN)
  const found = (await Promise.all(newest.map((file) => begunIn(look, file)))).flat()
  return found.filter(({ id }) => !others.some((other) => other.id === id))
}

async function begunIn(look: Look, { name, path }: FileSight): Promise<readonly Finding[]> {
  const entry = parseJson(await look.readText(path, { head: HEAD_BYTES }))
  const id = textAt(entry, 'session_id')
  const began = Math.round((numberAt(entry, 'started_at') ?? 0) * 1_000)
  const isOurNumber = look.process.selves.some(({ pid }) => pid === numberAt(entry, 'pid'))
  if (id === null || RUNTIME.exec(name)?.[1] !== id || !isOurNumber || !Number.isSafeInteger(began) || !beganInRun(began, look)) return []
  const chat = await look.stat(path.replace(/runtime\.json$/, 'jsonl'))
  if (chat === null) return [stored(id, began, null)]
  const asked = jsonLines(await look.readText(chat.path, { head: HEAD_BYTES })).find((row) => at(row, 'type') === 'user')
  const time = timeAt(asked, 'timestamp')
  // A resume writes the file anew: what was said before this process started was not said to it.
  if (!beganInRun(time ?? chat.born, look)) return []
  return [stored(id, began, chat.path, { used: chat.modified, ...(time === null ? {} : { asked: time }) })]
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  const projects = await look.list(`${look.home}/.qwen/projects`)
  const found = await firstFile(
    look,
    projects.map(({ path }) => `${path}/chats/${id}.jsonl`),
  )
  return transcriptAt(found?.path ?? null)
}

/** What the end of a transcript of Qwen Code says about its state. */
export function qwenTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answer = newestFirst.find((row) => at(row, 'type') === 'assistant')
  return {
    state: newestFirst.reduce<StateReport | null>((found, row) => found ?? stateIn(row), null),
    model: shownWords(textAt(answer, 'model')),
    title: null,
    tokens: numberAt(answer, 'usageMetadata', 'totalTokenCount'),
  }
}

function stateIn(row: unknown): StateReport | null {
  const time = timeAt(row, 'timestamp')
  if (time === null) return null
  switch (at(row, 'type')) {
    case 'user':
    case 'tool_result':
      return report('transcript', 'working', time)
    case 'assistant': {
      const parts = listAt(row, 'message', 'parts')
      if (parts.some((part) => at(part, 'functionCall') !== undefined)) return report('transcript', 'working', time)
      const words = parts.findLast((part) => textAt(part, 'text') !== null)
      return report('transcript', 'idle', time, { words: shownWords(textAt(words, 'text')) })
    }
    default:
      return null
  }
}
