import { done, type Result } from '../../base/refusal.ts'
import { given } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { type LineRange, parseHistory, parseLines, usage } from '../core/parse.ts'
import type { Cli, Input, Verb } from '../core/verb.ts'

const FORMATS = ['text', 'ansi', 'html', 'json'] as const
type Format = (typeof FORMATS)[number]

export const verb: Verb = {
  name: 'read',
  summary: 'Print the screen of a terminal, and its history.',
  operands: '<id>',
  options: [
    { flags: '--history <lines>', help: 'also print this many lines of history, or "all"' },
    { flags: '--lines <range>', help: 'print only lines FROM-TO, FROM- or -TO, counted from 1' },
    { flags: '--number', help: 'with --lines: print line numbers' },
    { flags: '--format <format>', help: 'output format (default: text)', choices: FORMATS },
  ],
  json: 'same as --format json',
  example: ['holdfast read api', 'holdfast read api --history all | grep ERROR', 'holdfast read api --lines 12000-12099 --number'],
  run: async (cli, input) => {
    const format = cli.isJson ? 'json' : (FORMATS.find((known) => known === input.text('format')) ?? 'text')
    const range = input.text('lines')
    if (range !== undefined) return await printLines(cli, input, { range, format })
    return input.flag('number') ? usage('--number needs --lines') : await printScreen(cli, input, format)
  },
}

async function printScreen(cli: Cli, input: Input, format: Format): Promise<Result<ExitCode>> {
  const terminal = input.operands[0] ?? ''
  const history = parseHistory(input.text('history') ?? '0')
  if (!history.ok) return history
  const read = await cli.ask('terminal.read', { terminal, history: history.value, format })
  if (!read.ok) return read
  const { content, lines, faults } = read.value.result
  const { first, oldest = first } = lines
  if (history.value === 'all' && lines.from > oldest) {
    // More than fits into one answer.
    if (format === 'html' || format === 'json')
      cli.complain(`holdfast: lines before ${lines.from + 1} are not shown; read them with --lines`)
    else {
      const older = await readPages(cli, { terminal, format, from: Number.MIN_SAFE_INTEGER, to: lines.from - 1 })
      if (!older.ok) return older
      write(cli, older.value.lines)
    }
  }
  cli.stdout.write(content.endsWith('\n') || content === '' ? content : `${content}\n`)
  for (const fault of faults) cli.complain(`holdfast: part of its history is lost: ${fault}`)
  return done(EXIT.done)
}

async function printLines(cli: Cli, input: Input, { range, format }: { range: string; format: Format }): Promise<Result<ExitCode>> {
  if (input.text('history') !== undefined) return usage('--lines and --history exclude each other')
  if (format === 'html') return usage('--lines prints text, ansi or json')
  const wanted = parseLines(range)
  if (!wanted.ok) return wanted
  const read = await readPages(cli, { terminal: input.operands[0] ?? '', ...wanted.value, format: format === 'ansi' ? format : 'text' })
  if (!read.ok) return read
  const { first } = read.value
  if (wanted.value.to !== null && wanted.value.to < first) cli.complain(`holdfast: older lines are gone; the first one is ${first + 1}`)
  if (format === 'json') cli.printJson(jsonOf(read.value))
  else write(cli, input.flag('number') ? numbered(read.value) : read.value.lines)
  return done(EXIT.done)
}

const jsonOf = ({ first, from, end, lines }: Pages) => ({
  first: first + 1,
  last: end,
  lines: lines.map((text, index) => ({ number: from + index + 1, text })),
})

function numbered({ from, lines }: Pages): string[] {
  const width = String(from + lines.length).length
  return lines.map((line, index) => `${String(from + index + 1).padStart(width)}  ${line}`)
}

/** In pieces: all of it could be longer than a string can be. */
function write(cli: Cli, lines: readonly string[]): void {
  const PIECE_LINES = 10_000
  for (let at = 0; at < lines.length; at += PIECE_LINES) cli.stdout.write(`${lines.slice(at, at + PIECE_LINES).join('\n')}\n`)
}

/** The daemon gives no more at once; a page of very long lines may have fewer. */
const PAGE_LINES = 10_000

type Pages = {
  /** The oldest line that still exists. */
  readonly first: number
  /** The number of the first of `lines`. */
  readonly from: number
  /** The number after the newest line. */
  readonly end: number
  readonly lines: readonly string[]
}

type Asked = LineRange & { readonly terminal: string; readonly format: 'text' | 'ansi' }

/**
 * Newest page first: old lines may be dropped meanwhile, and then the lines read so far have no hole. Lines of the run before
 * have numbers below 0.
 */
async function readPages(cli: Pick<Cli, 'ask'>, { terminal, format, from, to }: Asked): Promise<Result<Pages>> {
  const pages: (readonly string[])[] = []
  let before = to === null ? null : to + 1
  while (true) {
    const count = before === null ? PAGE_LINES : Math.max(1, Math.min(PAGE_LINES, before - from))
    const page = await cli.ask('terminal.history', { terminal, count, format, ...given({ before: before ?? undefined }) })
    if (!page.ok) return page
    const { first, end, oldest = first, ...found } = page.value.result
    const lines = found.lines.slice(Math.max(0, from - found.from))
    pages.unshift(lines)
    before = found.from
    if (lines.length === 0 || before <= Math.max(from < 0 ? oldest : first, from))
      return done({ first, end, from: Math.max(before, from), lines: pages.flat() })
  }
}
