import { done, type Result } from '../../base/refusal.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import type { TerminalView } from '../../wire/view.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { EXIT } from '../core/exit.ts'
import { parseCount, usage } from '../core/parse.ts'
import { parseTime } from '../core/parseTime.ts'
import type { Input, Verb } from '../core/verb.ts'
import { type Palette, paletteFor } from '../text/color.ts'
import { stateText, timeText } from '../text/format.ts'

const USUAL = { limit: '20', context: '2' }
const MOST_CONTEXT = 50
const MOST_HITS = 1_000

export const verb: Verb = {
  name: 'search',
  summary: 'Search the history of all terminals.',
  operands: '<query...>',
  options: [
    { flags: '--terminal <id>', help: 'search only this terminal' },
    { flags: '--since <time>', help: 'only lines after this time (see below)' },
    { flags: '--until <time>', help: 'only lines before this time' },
    { flags: '--limit <count>', help: `print at most this many matches (default: ${USUAL.limit})` },
    { flags: '--context <lines>', help: `lines to print around each match (default: ${USUAL.context})` },
  ],
  details: [
    'A line matches if it has all words. "quoted words" must follow each other, and',
    'begin* matches a prefix. Case and accents are ignored. Punctuation separates',
    'words, so search for the parts of a path or an identifier. Newest matches first.',
    'Times: 90s, 20m, 2h, 3d, today, yesterday, 2026-01-31 or 2026-01-31T18:30.',
    'Exit code 1: nothing found.',
  ],
  example: ['holdfast search ECONNREFUSED --since today', `holdfast search '"permission denied"' deploy* --terminal api --context 5`],
  run: async (cli, input) => {
    const asked = askedIn(input)
    if (!asked.ok) return asked
    const found = await cli.ask('search.query', asked.value)
    if (!found.ok) return found
    const { result } = found.value
    if (cli.isJson) cli.printJson(jsonOf(result))
    else if (result.hits.length > 0) cli.print(searchText(result, paletteFor(cli)))
    else cli.complain(`holdfast: no matches for ${asked.value.query}`)
    for (const note of pendingText(result)) cli.complain(`holdfast: ${note}`)
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
  if (limit.value > MOST_HITS) return usage(`--limit can be at most ${MOST_HITS}`)
  const context = /^\d{1,3}$/.test(input.text('context') ?? USUAL.context) ? Number(input.text('context') ?? USUAL.context) : Number.NaN
  if (!(context <= MOST_CONTEXT)) return usage(`--context must be a number of lines up to ${MOST_CONTEXT}`)
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

type Found = Outcome<'search.query'>
type Hit = Found['hits'][number]
type Line = { readonly number: number | null; readonly text: string; readonly hit: Hit | null }
/** Consecutive lines with one or more hits in them. */
type Excerpt = { readonly at: number; readonly run: string; readonly isPast: boolean; readonly lines: readonly Line[] }

function searchText({ hits, more, terminals }: Found, palette: Palette): string {
  const groups = [...new Set(hits.map(({ terminal }) => terminal))].map((id) => {
    const excerpts = excerptsOf(hits.filter((hit) => hit.terminal === id))
    return [
      headOf(
        id,
        terminals.find((terminal) => terminal.id === id),
        palette,
      ),
      ...excerpts.map((excerpt) => excerptText(excerpt, id, palette)),
    ].join('\n')
  })
  return [...groups, ...(more ? ['There are more matches. Use --limit to see more, or --since to narrow the search.'] : [])].join('\n\n')
}

function headOf(id: string, terminal: TerminalView | undefined, palette: Palette): string {
  if (terminal === undefined) return palette.bold(id)
  const name = terminal.name ?? commandText(terminal.command, terminal.args)
  return `${palette.bold(id)}  ${plain(name)}  ${palette.dim(stateText(terminal))}`
}

function excerptText({ at, isPast, lines }: Excerpt, id: string, palette: Palette): string {
  const numbers = lines.flatMap(({ number }) => (number === null ? [] : [number + 1]))
  const [from, to] = [numbers[0], numbers.at(-1)]
  const width = String(to ?? '').length
  const where = from === undefined ? 'on its screen' : isPast ? 'of its run before' : `holdfast read ${id} --lines ${from}-${to}`
  const body = lines.map(({ number, text, hit }) => {
    const gutter = number === null ? '' : `${String(number + 1).padStart(width)} `
    return `  ${palette.dim(gutter + (hit === null ? ' ' : '>'))} ${hit === null ? plain(text) : marked(hit, palette)}`
  })
  return [`  ${palette.dim(`${timeText(at).slice(0, -':00'.length)}  ${where}`)}`, ...body].join('\n')
}

function marked({ line, spans }: Hit, palette: Palette): string {
  let end = 0
  const parts = spans.map(({ from, to }) => {
    const part = plain(line.slice(end, from)) + palette.bold(palette.warn(plain(line.slice(from, to))))
    end = to
    return part
  })
  return parts.join('') + plain(line.slice(end))
}

/** The lines between hits that are close together are shown once. */
function excerptsOf(hits: readonly Hit[]): Excerpt[] {
  const excerpts: Excerpt[] = []
  for (const hit of [...hits].sort((a, b) => (a.run === b.run ? (a.number ?? 0) - (b.number ?? 0) : a.run < b.run ? -1 : 1))) {
    const { run, at, isPast } = hit
    const lines = linesOf(hit)
    const last = excerpts.at(-1)
    const end = last?.lines.at(-1)?.number ?? null
    const begin = lines[0]?.number ?? null
    if (last !== undefined && last.run === run && end !== null && begin !== null && begin <= end + 1)
      excerpts[excerpts.length - 1] = { run, isPast, at: Math.max(last.at, at), lines: joined(last.lines, lines) }
    else excerpts.push({ run, at, isPast, lines })
  }
  return excerpts.sort((a, b) => b.at - a.at || (b.lines[0]?.number ?? 0) - (a.lines[0]?.number ?? 0))
}

function linesOf(hit: Hit): Line[] {
  const { number, before, line, after } = hit
  const all = [...before, line, ...after]
  return all.map((text, row) => ({
    text,
    number: number === null ? null : number - before.length + row,
    hit: row === before.length ? hit : null,
  }))
}

const joined = (earlier: readonly Line[], later: readonly Line[]): Line[] => {
  const byNumber = new Map(earlier.map((line) => [line.number, line]))
  for (const line of later) if (line.hit !== null || !byNumber.has(line.number)) byNumber.set(line.number, line)
  return [...byNumber.values()].sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
}

/** Program output must not control the user's terminal; each character keeps its column. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ')
