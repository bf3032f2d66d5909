import { rowEnd, rowText } from '../cells/formats.ts'
import { paintedLength } from '../cells/painter.ts'
import { type Span, spansOf } from '../cells/spans.ts'
import type { Engine } from '../engine/engine.ts'
import type { LeavingRow, LineNumbers } from './lines.ts'
import { type Asked, formatSpans, joinSpans, type NumberedLines } from './numbered.ts'

/**
 * Lines taken as they leave a screen's memory, so that any number of them can be read through a screen that holds few.
 */
export type Collection = {
  /** Whether all that was asked for has left the memory. */
  readonly isComplete: boolean
  /** Everything asked for, as far as it exists: what has left, and what is still in memory. The last thing to be called. */
  finish(): Collected
}

/** `isCut` where the oldest of them were left out. */
export type Collected = NumberedLines & { readonly isCut: boolean }

/** `most` characters; the oldest lines are left out where there are more. */
export type Collecting = Asked & { readonly most: number }

export function collectLines(engineNow: () => Engine, numbers: LineNumbers, { from, to, format, theme, most }: Collecting): Collection {
  const lines: string[] = []
  let first = from
  let length = 0
  let isComplete = false
  let isCut = false
  let open: { readonly number: number; text: string; readonly spans: Span[] } | null = null

  const push = (line: string): void => {
    lines.push(line)
    length += line.length
    for (; length > most && lines.length > 1; first++, isCut = true) length -= lines.shift()?.length ?? 0
  }
  const close = (): void => {
    if (open === null) return
    const { number, text, spans } = open
    open = null
    if (lines.length === 0) first = number
    for (let lost = first + lines.length; lost < number; lost++) push(formatSpans([], { format, theme, number: lost }))
    push(format === 'text' ? text.trimEnd() : formatSpans(spans, { format, theme, number }))
  }
  const take = ({ line, number, next }: LeavingRow): void => {
    if (open !== null && open.number !== number) close()
    if (number >= to) isComplete = true
    if (number < from || number >= to) return
    const { terminal, internals } = engineNow()
    const { cols } = terminal
    open ??= { number, text: '', spans: [] }
    if (format === 'text') open.text += rowText(line, cols, next)
    else {
      const end = next?.isWrapped ? rowEnd(line, cols, next) : paintedLength(line, cols)
      joinSpans(open.spans, spansOf(line, { cols, end, links: internals._oscLinkService }))
    }
  }
  numbers.onLeaving = take
  numbers.onErased = () => {
    open = null
    lines.length = 0
    length = 0
  }
  return {
    get isComplete() {
      return isComplete
    },
    finish() {
      numbers.onLeaving = null
      numbers.onErased = null
      const { lines: rows } = engineNow().internals._bufferService.buffers.normal
      const { end } = numbers
      for (const [row, number] of numbers.all().entries()) {
        const line = rows.get(row)
        if (isComplete || number >= end) break
        if (line !== undefined) take({ line, number, next: row + 1 < rows.length ? rows.get(row + 1) : undefined })
      }
      close()
      return { from: lines.length === 0 ? Math.max(from, numbers.from) : first, lines, isCut }
    },
  }
}
