import { ansiOfSpan, htmlOfSpan, jsonOfSpans, rowEnd, rowText } from '../cells/formats.ts'
import { paintedLength } from '../cells/painter.ts'
import { DARK_THEME, type Theme } from '../cells/palette.ts'
import { type Span, spansOf } from '../cells/spans.ts'
import type { Engine } from '../engine/engine.ts'
import type { RawLine } from '../engine/internals.ts'
import type { LineNumbers } from './lines.ts'

/** Lines by number. `json` is one object per line, as in the `lines` of a screen's JSON. */
export type LineFormat = 'text' | 'ansi' | 'html' | 'json'

/** `from` is the number of the first one. */
export type NumberedLines = { readonly from: number; readonly lines: readonly string[] }

export type Asked = { readonly from: number; readonly to: number; readonly format: LineFormat; readonly theme: Theme }

/** Lines of the normal buffer that are in memory from their beginning, those of its screen included. */
export function readNumbered(engine: Engine, numbers: LineNumbers, asked: Asked): NumberedLines {
  const { lines } = engine.internals._bufferService.buffers.normal
  const first = Math.max(asked.from, numbers.from)
  const end = Math.min(asked.to, numbers.end)
  const read: string[] = []
  for (let row = numbers.rowOf(first); read.length < end - first && row < lines.length; ) {
    const rows: RawLine[] = []
    do {
      const line = lines.get(row++)
      if (line !== undefined) rows.push(line)
    } while (row < lines.length && lines.get(row)?.isWrapped)
    read.push(lineOf(rows, engine, { ...asked, number: first + read.length }))
  }
  return { from: first, lines: read }
}

type Style = Pick<Asked, 'format' | 'theme'> & { readonly number: number }

/** A row that wraps is as long as the screen is wide, whatever is in its last cells. */
function lineOf(rows: readonly RawLine[], { terminal, internals }: Engine, style: Style): string {
  const { cols } = terminal
  if (style.format === 'text') {
    const text = rows.map((row, index) => rowText(row, cols, rows[index + 1])).join('')
    return text.trimEnd()
  }
  const spans: Span[] = []
  for (const [index, row] of rows.entries()) {
    const end = index + 1 < rows.length ? rowEnd(row, cols, rows[index + 1]) : paintedLength(row, cols)
    joinSpans(spans, spansOf(row, { cols, end, links: internals._oscLinkService }))
  }
  return formatSpans(spans, style)
}

/** A line that no program has printed, dimmed. */
export const markLine = (text: string, format: LineFormat): string =>
  formatSpans([{ text, style: { dim: true }, sgr: '0;2' }], { format, theme: DARK_THEME, number: -1 })

export function joinSpans(spans: Span[], more: readonly Span[]): void {
  for (const span of more) {
    const last = spans.at(-1)
    if (last?.sgr === span.sgr && last.style.link === span.style.link) spans[spans.length - 1] = { ...last, text: last.text + span.text }
    else spans.push(span)
  }
}

export function formatSpans(spans: readonly Span[], { format, theme, number }: Style): string {
  switch (format) {
    case 'text':
      return spans.map(({ text }) => text).join('')
    case 'ansi':
      return spans.map(ansiOfSpan).join('')
    case 'html':
      return spans.map((span) => htmlOfSpan(span, theme)).join('')
    case 'json':
      return JSON.stringify({ number: number + 1, ...jsonOfSpans(spans), wrapped: false })
  }
}
