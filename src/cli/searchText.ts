/** What was found, for people: by terminal, the newest first, with the lines around it and how to read on. */
import type { Outcome } from '../wire/commands.ts'
import type { TerminalView } from '../wire/view.ts'
import { commandText } from '../workspace/commandText.ts'
import type { Palette } from './colour.ts'
import { stateText, timeText } from './format.ts'

type Found = Outcome<'search.query'>
type Hit = Found['hits'][number]
type Line = { readonly number: number | null; readonly text: string; readonly hit: Hit | null }
/** Lines that follow each other, with one or more hits in them. */
type Excerpt = { readonly at: number; readonly run: string; readonly isPast: boolean; readonly lines: readonly Line[] }

export function searchText({ hits, more, terminals }: Found, palette: Palette): string {
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
  return [...groups, ...(more ? ['There is more: --limit shows more of it, --since less.'] : [])].join('\n\n')
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

/** Of hits that stand close together, the lines between are shown once. */
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

/** What programs printed must not command the terminal of whoever searches; each character keeps its place. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ')
