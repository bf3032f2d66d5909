/** opencode, and Kilo Code, which descends from it. All conversations are in one database; no file says which process has which. */

import type { Agent, Finding, Flags, Look, PlaceLook } from '../agent.ts'
import { at, numberAt, parseJson, shownWords, sumAt, textAt } from '../decode.ts'
import { report, SES, SLACK_MS, spellingsOf, stored } from '../files.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { KILO_FLAGS } from '../flags/kilo.ts'
import { OPENCODE_FLAGS } from '../flags/opencode.ts'
import { type Signs, shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

/** What both show: a prompt with a lower edge, and the footer below that. */
const SESSION_SIGNS: Signs = {
  asks: { question: /^\s*┃\s+△ \S/, choice: /^\s*┃\s+(?:Allow once\b|Confirm\s+Cancel\b|enter confirm\b)/ },
  prompt: /^\s*╹▀{10,}/,
  // A narrow footer breaks its words.
  busy: /^\s*[■⬝]{4,}|\besc (?:again to )?interrupt\b/,
}

type Descendant = Pick<Agent, 'id' | 'label' | 'recognise' | 'configEnv' | 'exitHint'> & {
  readonly flags: Pick<Flags, 'takes' | 'notConversation'>
  readonly forks?: readonly string[]
  readonly once?: readonly string[]
}

const descendant = ({ flags, forks = [], once = [], ...own }: Descendant): Agent =>
  plainAgent({
    ...own,
    idPattern: SES,
    resume: (id) => ['-s', id],
    flags: {
      grammar: 'yargs',
      takes: { ...flags.takes, ...flagTable({ none: '--replay --demo' }) },
      choosing: ['-s', '--session', '-c', '--continue', '--fork', ...forks],
      prompting: ['--prompt'],
      once,
      notConversation: flags.notConversation,
    },
    ...sessionDatabase(own.id),
    shown: shownBy(SESSION_SIGNS),
  })

export const opencode = descendant({
  id: 'opencode',
  label: 'opencode',
  recognise: { names: ['opencode'], paths: ['/opencode-ai/', '/.opencode/bin/'] },
  flags: {
    takes: OPENCODE_FLAGS,
    notConversation: wordsOf(`
      -h --help -v --version acp agent attach auth completion db debug export github import mcp models plug plugin pr providers run
      serve session stats uninstall upgrade web
    `),
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  exitHint: /Continue opencode -s (ses_[0-9A-Za-z]{8,64})/,
})

export const kilo = descendant({
  id: 'kilo',
  label: 'Kilo Code',
  recognise: { names: ['kilo', '.kilo', 'kilocode'], paths: ['/@kilocode/cli'] },
  flags: {
    takes: KILO_FLAGS,
    notConversation: wordsOf(`
      -h --help -v --version acp agent attach auth cloud completion config console daemon db debug export github help import mcp
      models plug plugin pr profile providers remote roll-call run serve session stats uninstall upgrade web worktree
    `),
  },
  forks: ['--cloud-fork'],
  once: ['--worktree'],
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'],
  exitHint: /\bkilo -s (ses_[0-9A-Za-z]{8,64})/,
})

/** The database in which they keep their conversations. */
function sessionDatabase(name: string): Pick<Agent, 'findings' | 'transcript' | 'reading'> {
  const fileOf = ({ env, home }: PlaceLook) => `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/${name}/${name}.db`
  return {
    findings: (look) => findings(look, fileOf(look)),
    transcript: async (look, id) => {
      const file = fileOf(look)
      if ((await look.query(file, 'SELECT id FROM session WHERE id = ?', [id])).length > 0) return { kind: 'there', path: file }
      // No rows may also mean that it could not be read.
      const isReadable = (await look.query(file, 'SELECT count(*) AS sessions FROM session', [])).length > 0
      return { kind: isReadable || (await look.stat(file)) === null ? 'gone' : 'unknown' }
    },
    reading: async (look, { id }) => {
      const file = fileOf(look)
      const [session] = await look.query(file, 'SELECT * FROM session WHERE id = ?', [id])
      const [message] = await look.query(file, 'SELECT * FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1', [
        id,
      ])
      if (session === undefined || message === undefined) return null
      const parts = await look.query(file, 'SELECT data FROM part WHERE message_id = ? ORDER BY time_created DESC, id DESC LIMIT 40', [
        textAt(message, 'id') ?? '',
      ])
      const data = parseJson(textAt(message, 'data'))
      return {
        state: stateOf(
          data,
          parts.map((part) => parseJson(textAt(part, 'data'))),
          numberAt(message, 'time_updated') ?? 0,
        ),
        model: shownWords(textAt(data, 'modelID') ?? textAt(data, 'model', 'modelID')),
        title: shownWords(textAt(session, 'title')),
        tokens: numberAt(data, 'tokens', 'total') ?? sumAt(at(data, 'tokens'), ['input', 'output', 'reasoning']),
      }
    },
  }
}

async function findings(look: Look, file: string): Promise<readonly Finding[]> {
  const since = look.process.startedAt - SLACK_MS
  const sql = 'SELECT * FROM session WHERE directory = ? AND time_created >= ? ORDER BY time_created DESC LIMIT 50'
  const rows = await Promise.all((await spellingsOf(look)).map((cwd) => look.query(file, sql, [cwd, since])))
  return rows.flat().flatMap((row) => {
    const id = textAt(row, 'id')
    const began = numberAt(row, 'time_created')
    // Those with a parent were started by an agent.
    return id === null || began === null || textAt(row, 'parent_id') !== null ? [] : [stored(id, began, file, timesOf(row, began))]
  })
}

/** A row is made when the first thing is said. */
function timesOf(row: unknown, asked: number): Pick<Finding, 'asked' | 'used'> {
  const used = numberAt(row, 'time_updated')
  return used === null ? { asked } : { asked, used }
}

const QUESTIONS = new Set<unknown>(['question', 'plan_exit'])

function stateOf(message: unknown, newestFirst: readonly unknown[], time: number): StateReport | null {
  if (at(message, 'role') === 'user') return report('transcript', 'working', time)
  if (at(message, 'role') !== 'assistant') return null
  const asks = newestFirst.find((part) => QUESTIONS.has(at(part, 'tool')) && at(part, 'state', 'status') === 'running')
  if (asks !== undefined) return report('transcript', 'needs-you', time, { wants: 'question', words: questionOf(asks) })
  const isOver = numberAt(message, 'time', 'completed') !== null && at(message, 'finish') !== 'tool-calls'
  const words = newestFirst.map((part) => (at(part, 'type') === 'text' ? textAt(part, 'text') : null)).find((text) => text !== null)
  return isOver ? report('transcript', 'idle', time, { words: shownWords(words ?? null) }) : report('transcript', 'working', time)
}

function questionOf(part: unknown): string | null {
  const questions = at(part, 'state', 'input', 'questions')
  return shownWords(Array.isArray(questions) ? textAt(questions[0], 'question') : textAt(part, 'state', 'title'))
}
