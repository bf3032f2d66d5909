import { done, type Result } from '../../base/refusal.ts'
import type { Outcome } from '../../wire/commands.ts'
import { paletteFor } from '../colour.ts'
import { EXIT } from '../exit.ts'
import { parseCount, usage } from '../parse.ts'
import { parseTime } from '../parseTime.ts'
import { searchText } from '../searchText.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

const USUAL = { limit: '20', context: '2' }
const MOST_CONTEXT = 50
const MOST_HITS = 1_000

export const verb: Verb = {
  name: 'search',
  summary: 'Find lines in the history of all terminals, asleep ones included.',
  operands: '<query...>',
  options: [
    { flags: '--terminal <id>', help: 'only in this terminal' },
    { flags: '--since <time>', help: 'not older than 90s, 20m, 2h, 3d, today, yesterday, 2026-01-31 or 2026-01-31T18:30' },
    { flags: '--until <time>', help: 'not newer than this' },
    { flags: '--limit <count>', help: `at most this many lines (${USUAL.limit})` },
    { flags: '--context <lines>', help: `lines before and after each one (${USUAL.context})` },
    JSON_OPTION,
  ],
  details: [
    'All words must be in a line; "quoted words" follow each other; begin* finds what begins so. Case and accents do not matter,',
    'and signs only part words: a path or an identifier is found by its parts. Newest first. Exits with 1 when nothing is found.',
  ],
  example: ['holdfast search ECONNREFUSED --since today', `holdfast search '"permission denied"' deploy* --terminal api --context 5`],
  run: async (input, host) => {
    const asked = askedIn(input)
    if (!asked.ok) return asked
    const found = await host.ask('search.query', asked.value)
    if (!found.ok) return found
    const { result } = found.value
    if (input.flag('json')) host.printJson(jsonOf(result))
    else if (result.hits.length > 0) host.print(searchText(result, paletteFor(host.stdout, host.env)))
    else host.complain(`holdfast: no line has ${asked.value.query}`)
    for (const note of pendingText(result)) host.complain(`holdfast: ${note}`)
    return done(result.hits.length > 0 ? EXIT.done : EXIT.refused)
  },
}

type Asked = {
  query: string
  limit: number
  context: number
  terminal?: string
  since?: number
  until?: number
}

function askedIn(input: Input): Result<Asked> {
  const limit = parseCount(input.text('limit') ?? USUAL.limit, 'lines')
  if (!limit.ok) return limit
  if (limit.value > MOST_HITS) return usage(`--limit is ${MOST_HITS} at most`)
  const context = /^\d{1,3}$/.test(input.text('context') ?? USUAL.context) ? Number(input.text('context') ?? USUAL.context) : Number.NaN
  if (!(context <= MOST_CONTEXT)) return usage(`--context is a number of lines up to ${MOST_CONTEXT}`)
  const asked: Asked = { query: input.operands.join(' '), limit: limit.value, context }
  const terminal = input.text('terminal')
  if (terminal !== undefined) asked.terminal = terminal
  for (const bound of ['since', 'until'] as const) {
    const typed = input.text(bound)
    if (typed === undefined) continue
    const at = parseTime(typed, Date.now())
    if (!at.ok) return at
    asked[bound] = at.value
  }
  return done(asked)
}

type Found = Outcome<'search.query'>

/** People and `read --lines` count lines from 1. */
function jsonOf({ hits, more, pending, terminals }: Found) {
  return {
    hits: hits.map(({ number, ...hit }) => {
      const terminal = terminals.find(({ id }) => id === hit.terminal)
      return { ...hit, number: number === null ? null : number + 1, name: terminal?.name ?? null, state: terminal?.state ?? null }
    }),
    more,
    pending,
  }
}

function pendingText({ pending }: Found): string[] {
  if (pending.length === 0) return []
  const lines = pending.reduce((sum, each) => sum + (each.lines ?? 0), 0)
  const terminals = new Set(pending.map(({ terminal }) => terminal)).size
  const behind = lines > 0 ? `, at least ${lines} lines` : ''
  return [`${terminals === 1 ? 'one terminal is' : `${terminals} terminals are`} still being indexed${behind}; search again in a moment`]
}
