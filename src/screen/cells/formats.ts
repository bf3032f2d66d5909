/**
 * src/screen/cells: cells of the emulator as text, ANSI, HTML and JSON. spans.ts splits a row into runs of one style, painter.ts and
 * sgr.ts write ANSI, palette.ts has the colors. Start here.
 */
import type { Engine } from '../engine/engine.ts'
import { CONTENT_MASK, type RawBuffer, type RawLine } from '../engine/internals.ts'
import { cellText, cellWidth, isText, isWideTail } from './painter.ts'
import { hexOf, rgbOf, type Theme } from './palette.ts'
import { type Span, spansOf, type TextStyle } from './spans.ts'

const SPACE = 0x20

/** What to read: the visible screen, and this many rows of what scrolled away before it. */
export type ReadOptions = { readonly history?: number | 'all' }

export type ScreenJson = {
  readonly cols: number
  readonly rows: number
  readonly title: string
  readonly alternate: boolean
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  /** How many of the lines scrolled away; the cursor's row counts from the line after them. */
  readonly historyLines: number
  readonly lines: readonly {
    /** Of the line that the row belongs to, the run's first being 1; null on the alternate screen, which has no history. */
    readonly number: number | null
    readonly text: string
    readonly wrapped: boolean
    readonly spans: readonly { text: string; style: TextStyle }[]
  }[]
}

type Row = { readonly line: RawLine; readonly next: RawLine | undefined; readonly history: boolean; readonly at: number | null }

/** The rows to read, oldest first. History belongs to the normal buffer, also while a program shows the alternate one. */
function rowsOf({ internals, terminal }: Engine, { history = 0 }: ReadOptions): Row[] {
  const { normal, active } = internals._bufferService.buffers
  const past = history === 'all' ? normal.ybase : Math.min(Math.max(0, history), normal.ybase)
  return [
    ...range(normal, normal.ybase - past, normal.ybase).map((row) => ({ ...row, history: true })),
    ...range(active, active.ybase, active.ybase + terminal.rows).map((row) => ({
      ...row,
      history: false,
      at: active === normal ? row.at : null,
    })),
  ]
}

function range(buffer: RawBuffer, from: number, to: number): { line: RawLine; next: RawLine | undefined; at: number }[] {
  const rows: { line: RawLine; next: RawLine | undefined; at: number }[] = []
  for (let y = from; y < to; y++) {
    const line = buffer.lines.get(y)
    if (line !== undefined) rows.push({ line, next: y + 1 < buffer.lines.length ? buffer.lines.get(y + 1) : undefined, at: y })
  }
  return rows
}

export const readText = (engine: Engine, options: ReadOptions): string =>
  trimRows(joinRows(rowsOf(engine, options), engine.terminal.cols)).join('\n')

/** Text of the normal buffer from an absolute line on, and of the alternate one where it is shown. */
export function readLines(engine: Engine, { from, normal: withNormal }: { from: number; normal: boolean }): string {
  const { normal, active } = engine.internals._bufferService.buffers
  const rows = withNormal ? range(normal, Math.max(0, from), normal.lines.length) : []
  if (active !== normal) rows.push(...range(active, 0, active.lines.length))
  return trimRows(joinRows(rows, engine.terminal.cols)).join('\n')
}

function joinRows(rows: readonly { line: RawLine; next: RawLine | undefined }[], cols: number): string[] {
  const lines: string[] = []
  let open = ''
  for (const { line, next } of rows) {
    const wraps = next?.isWrapped === true
    open += rowText(line, cols, next)
    if (wraps && next !== rows.at(-1)?.next) continue
    lines.push(open.trimEnd())
    open = ''
  }
  return lines
}

/** Where the text of a row ends that the row `next` continues: at the margin, unless a wide character did not fit there. */
export const rowEnd = (line: RawLine, cols: number, next: RawLine | undefined): number =>
  next?.isWrapped && cellWidth(next, 0) === 2 && !isText(line, cols - 1, cols) && !isWideTail(line, cols - 1) ? cols - 1 : cols

/** Where the last cell ends that is not blank. */
export function inkedLength(line: RawLine, cols: number): number {
  for (let x = cols; x > 0; x--) {
    const content = (line._data[x * 3 - 3] ?? 0) & CONTENT_MASK
    if (content !== 0 && content !== SPACE) return x
  }
  return 0
}

export function rowText(line: RawLine, cols: number, next: RawLine | undefined): string {
  const end = next?.isWrapped ? rowEnd(line, cols, next) : inkedLength(line, cols)
  let text = ''
  for (let x = 0; x < end; ) {
    const shown = isText(line, x, cols)
    text += shown ? cellText(line, x) : ' '
    x += shown && cellWidth(line, x) === 2 ? 2 : 1
  }
  return text
}

export function readAnsi(engine: Engine, options: ReadOptions): string {
  const links = engine.internals._oscLinkService
  const { cols } = engine.terminal
  const rows = rowsOf(engine, options).map(({ line }) => spansOf(line, { cols, links }).map(ansiOfSpan).join(''))
  return trimRows(rows).join('\n')
}

export function ansiOfSpan({ text, style, sgr }: Span): string {
  const styled = sgr === '0' ? text : `\x1b[${sgr}m${text}\x1b[0m`
  return style.link === undefined ? styled : `\x1b]8;;${style.link}\x1b\\${styled}\x1b]8;;\x1b\\`
}

export function readHtml(engine: Engine, options: ReadOptions, theme: Theme): string {
  const links = engine.internals._oscLinkService
  const { cols } = engine.terminal
  const rows = rowsOf(engine, options).map(({ line }) =>
    spansOf(line, { cols, links })
      .map((span) => htmlOfSpan(span, theme))
      .join(''),
  )
  const look = `color:${hexOf(theme.foreground)};background:${hexOf(theme.background)}`
  return `<pre class="holdfast-screen" style="${look}">${trimRows(rows).join('\n')}</pre>`
}

export function htmlOfSpan({ text, style }: Span, theme: Theme): string {
  const declarations = cssOf(style, theme)
  const inner = declarations === '' ? escapeHtml(text) : `<span style="${declarations}">${escapeHtml(text)}</span>`
  // A link in a program's output may not run a script in the page that shows it.
  const safe = style.link !== undefined && /^(https?|mailto|file):/i.test(style.link)
  return safe ? `<a href="${escapeHtml(style.link ?? '')}" rel="noreferrer">${inner}</a>` : inner
}

function cssOf(style: TextStyle, theme: Theme): string {
  const fg = style.fg === undefined ? theme.foreground : rgbOf(style.fg, theme)
  const bg = style.bg === undefined ? theme.background : rgbOf(style.bg, theme)
  const [ink, paper] = style.inverse ? [bg, fg] : [fg, bg]
  const lines = [style.underline && 'underline', style.overline && 'overline', style.strikethrough && 'line-through'].filter(Boolean)
  const declarations = [
    (style.fg !== undefined || style.inverse) && `color:${hexOf(ink)}`,
    (style.bg !== undefined || style.inverse) && `background:${hexOf(paper)}`,
    style.bold && 'font-weight:bold',
    style.italic && 'font-style:italic',
    style.dim && 'opacity:.6',
    style.invisible && 'visibility:hidden',
    lines.length > 0 && `text-decoration-line:${lines.join(' ')}`,
    style.underline && style.underline !== 'single' && `text-decoration-style:${CSS_UNDERLINES[style.underline]}`,
    style.underlineColor !== undefined && `text-decoration-color:${hexOf(rgbOf(style.underlineColor, theme))}`,
  ]
  return declarations.filter(Boolean).join(';')
}

const CSS_UNDERLINES = { single: 'solid', double: 'double', curly: 'wavy', dotted: 'dotted', dashed: 'dashed' } as const

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export type JsonContext = { readonly title: string; readonly numbers: readonly number[] }

export function readJson(engine: Engine, options: ReadOptions, { title, numbers }: JsonContext): ScreenJson {
  const { internals, terminal } = engine
  const rows = rowsOf(engine, options)
  const buffer = internals._bufferService.buffers.active
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    title,
    alternate: buffer === internals._bufferService.buffers.alt,
    cursor: { x: Math.min(buffer.x, terminal.cols - 1), y: buffer.y, visible: !internals.coreService.isCursorHidden },
    historyLines: rows.filter((row) => row.history).length,
    lines: rows.map(({ line, next, at }) => ({
      number: at === null ? null : (numbers[at] ?? 0) + 1,
      ...jsonOfSpans(spansOf(line, { cols: terminal.cols, links: internals._oscLinkService })),
      wrapped: next?.isWrapped === true,
    })),
  }
}

export const jsonOfSpans = (spans: readonly Span[]): { text: string; spans: { text: string; style: TextStyle }[] } => ({
  text: spans
    .map(({ text }) => text)
    .join('')
    .trimEnd(),
  spans: spans.map(({ text, style }) => ({ text, style })),
})

function trimRows(rows: readonly string[]): string[] {
  const kept = [...rows]
  while (kept.at(-1) === '') kept.pop()
  return kept
}
