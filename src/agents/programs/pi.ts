/** pi. Its conversations lie in a directory per project, named after the time at which each began. */
import type { Agent, Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { argsOf } from '../argv.ts'
import { readCommandLine } from '../commandLine.ts'
import { at, jsonLines, listAt, numberAt, shownWords, textAt, timeAt } from '../decode.ts'
import { beganInRun, HEAD_BYTES, report, spellingsOf, stored, TAIL_BYTES, transcriptAt } from '../files.ts'
import { wordsOf } from '../flags/flagTable.ts'
import { PI_FLAGS } from '../flags/pi.ts'
import { said, writtenLines } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

export const pi = plainAgent({
  id: 'pi',
  label: 'pi',
  recognise: { names: ['pi'], paths: ['/pi-coding-agent/'] },
  resume: (id) => ['--session', id],
  flags: {
    grammar: 'pi',
    takes: PI_FLAGS,
    choosing: ['--session', '--fork', '-c', '--continue', '-r', '--resume'],
    unsaved: ['--no-session'],
    notConversation: wordsOf(`
      -h --help -v --version -p --print --export --list-models install remove uninstall update list config
    `),
  },
  configEnv: ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'],
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : piTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: piShown,
})

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d{1,3}))?Z?_([0-9a-f-]{36})\.jsonl$/i

type Chat = { readonly id: string; readonly began: number; readonly path: string; readonly used: number }

/** The directory that the user has chosen, which conversations of other projects may be in as well; null where it is pi's own. */
function chosenDirectory({ argv, env, home, cwd }: PlaceLook): string | null {
  const { parts } = readCommandLine(pi.flags, argsOf(pi, argv))
  const flag = parts.findLast((part) => part.kind === 'flag' && part.names.includes('--session-dir'))
  const chosen = flag?.words[1] ?? env['PI_CODING_AGENT_SESSION_DIR']?.replace(/^~(?=$|\/)/, home)
  if (!chosen) return null
  return chosen.startsWith('/') ? chosen : `${cwd}/${chosen}`
}

async function ownDirectories(look: PlaceLook): Promise<readonly string[]> {
  const base = look.env['PI_CODING_AGENT_DIR'] || `${look.home}/.pi/agent`
  return (await spellingsOf(look)).map((cwd) => `${base}/sessions/--${cwd.replace(/^\//, '').replace(/[/\\:]/g, '-')}--`)
}

async function chatsOf(look: PlaceLook): Promise<readonly Chat[]> {
  const chosen = chosenDirectory(look)
  const directories = chosen === null ? await ownDirectories(look) : [chosen]
  const files = (await Promise.all(directories.map((directory) => look.list(directory)))).flat()
  return files.flatMap(({ name, path, modified: used }) => {
    const [, day, hours, minutes, seconds, millis = '0', id = ''] = NAME.exec(name) ?? []
    const began = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${millis.padStart(3, '0')}Z`)
    return Number.isNaN(began) ? [] : [{ id, began, path, used }]
  })
}

async function findings(look: Look): Promise<readonly Finding[]> {
  const chats = (await chatsOf(look)).filter(({ began }) => beganInRun(began, look))
  const cwds = chosenDirectory(look) === null ? null : await spellingsOf(look)
  const found = await Promise.all(
    chats.map(async ({ id, began, path, used }) => {
      const rows = jsonLines(await look.readText(path, { head: HEAD_BYTES }))
      if (cwds !== null && !cwds.includes(textAt(rows[0], 'cwd') ?? '')) return []
      const asked = firstAsked(rows)
      return [stored(id, began, path, { used, ...(asked === null ? {} : { asked }) })]
    }),
  )
  return found.flat()
}

/** A conversation begins when pi starts; what is said in it first tells more about whose it is. */
function firstAsked(rows: readonly unknown[]): number | null {
  const first = rows.find((row) => textAt(row, 'message', 'role') === 'user')
  return first === undefined ? null : (numberAt(first, 'message', 'timestamp') ?? timeAt(first, 'timestamp'))
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  return transcriptAt((await chatsOf(look)).find((chat) => chat.id === id)?.path ?? null)
}

const RULE = /^─{10,}/
const FOOTER = /\d%\/\d+/
const CHOICE = /^\s*→ \S/
const HINT = /^\s*↑↓ navigate\b.*\benter select\b/
const SPINNER = /^ [⠀-⣿] \S/u
const LOWEST_FOOTERS = 4 // lines

/** What the user types, or is asked, stands between the two lowest rules of the screen. */
function piShown({ screen }: { readonly screen: readonly string[] }): ReturnType<NonNullable<Agent['shown']>> {
  const lines = writtenLines(screen)
  const bottom = lines.findLastIndex((line) => RULE.test(line))
  const top = lines.slice(0, Math.max(0, bottom)).findLastIndex((line) => RULE.test(line))
  const footer = lines.slice(bottom + 1)
  if (top === -1 || footer.length > LOWEST_FOOTERS || !footer.some((line) => FOOTER.test(line))) return null
  const inside = lines.slice(top + 1, bottom)
  const choice = inside.findIndex((line) => CHOICE.test(line))
  if (choice > 0 && HINT.test(inside.at(-1) ?? '')) return said('needs-you', 'question', shownWords(inside.slice(0, choice).join(' ')))
  return said(SPINNER.test(lines[top - 1] ?? '') ? 'working' : 'idle')
}

/** What the end of a transcript of pi says about its state. */
export function piTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail)
    .filter((row) => at(row, 'type') === 'message')
    .toReversed()
  const answer = newestFirst.find((row) => at(row, 'message', 'role') === 'assistant')
  return {
    state: newestFirst[0] === undefined ? null : stateAfter(newestFirst[0]),
    model: shownWords(textAt(answer, 'message', 'model')),
    title: null,
    tokens: numberAt(answer, 'message', 'usage', 'totalTokens'),
  }
}

/** pi runs tools without asking, and retries by itself after an error. */
const OVER = new Set<unknown>(['stop', 'length', 'aborted'])

function stateAfter(row: unknown): StateReport | null {
  const time = timeAt(row, 'timestamp')
  if (time === null) return null
  if (at(row, 'message', 'role') !== 'assistant' || !OVER.has(at(row, 'message', 'stopReason')))
    return report('transcript', 'working', time)
  const words = listAt(row, 'message', 'content').findLast((part) => at(part, 'type') === 'text')
  return report('transcript', 'idle', time, { words: shownWords(textAt(words, 'text')) })
}
