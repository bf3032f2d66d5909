import { done, type Result } from '../../base/refusal.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { type Pages, readPages } from '../historyPages.ts'
import type { Host } from '../host.ts'
import { parseHistory, parseLines, usage } from '../parse.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

const FORMATS = ['text', 'ansi', 'html', 'json'] as const
type Format = (typeof FORMATS)[number]

export const verb: Verb = {
  name: 'read',
  summary: 'Print what a terminal shows, with its history if asked for.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--history <lines>', help: 'also this many lines above the screen, or "all": what stood before its last wake included' },
    { flags: '--lines <range>', help: 'only lines FROM-TO, FROM- or -TO of all there are, counted from 1; a line that wraps is one' },
    { flags: '--number', help: 'with --lines: each line’s number before it' },
    { flags: '--format <format>', help: 'text, ansi, html or json (text)', choices: FORMATS },
    { ...JSON_OPTION, help: 'the same as --format json' },
  ],
  example: ['holdfast read api', 'holdfast read api --history all | grep ERROR', 'holdfast read api --lines 12000-12099 --number'],
  run: async (input, host) => {
    const asked = input.flag('json') ? 'json' : (input.text('format') ?? 'text')
    const format = FORMATS.find((known) => known === asked)
    if (format === undefined) return usage(`there is no format "${asked}"`)
    const range = input.text('lines')
    if (range !== undefined) return await printLines(input, host, { range, format })
    return input.flag('number') ? usage('--number goes with --lines') : await printScreen(input, host, format)
  },
}

async function printScreen(input: Input, host: Host, format: Format): Promise<Result<ExitCode>> {
  const terminal = input.operands[0] ?? ''
  const history = parseHistory(input.text('history') ?? '0')
  if (!history.ok) return history
  const read = await host.ask('terminal.read', { terminal, history: history.value, format })
  if (!read.ok) return read
  const { content, lines, faults } = read.value.result
  const { first, oldest = first } = lines
  if (history.value === 'all' && lines.from > oldest) {
    // More than fits into one answer.
    if (format === 'html' || format === 'json')
      host.complain(`holdfast: the lines before ${lines.from + 1} are left out; read them with --lines`)
    else {
      const older = await readPages(host, { terminal, format, from: Number.MIN_SAFE_INTEGER, to: lines.from - 1 })
      if (!older.ok) return older
      write(host, older.value.lines)
    }
  }
  host.stdout.write(content.endsWith('\n') || content === '' ? content : `${content}\n`)
  for (const fault of faults) host.complain(`holdfast: part of its history is lost: ${fault}`)
  return done(EXIT.done)
}

async function printLines(input: Input, host: Host, { range, format }: { range: string; format: Format }): Promise<Result<ExitCode>> {
  if (input.text('history') !== undefined) return usage('--lines and --history do not go together')
  if (format === 'html') return usage('--lines prints text, ansi or json')
  const wanted = parseLines(range)
  if (!wanted.ok) return wanted
  const read = await readPages(host, { terminal: input.operands[0] ?? '', ...wanted.value, format: format === 'ansi' ? format : 'text' })
  if (!read.ok) return read
  const { first } = read.value
  if (wanted.value.to !== null && wanted.value.to < first) host.complain(`holdfast: the oldest line that is still there is ${first + 1}`)
  if (format === 'json') host.printJson(jsonOf(read.value))
  else write(host, input.flag('number') ? numbered(read.value) : read.value.lines)
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

/** In pieces: one string of it all might be longer than a string can be. */
function write(host: Host, lines: readonly string[]): void {
  const PIECE_LINES = 10_000
  for (let at = 0; at < lines.length; at += PIECE_LINES) host.stdout.write(`${lines.slice(at, at + PIECE_LINES).join('\n')}\n`)
}
