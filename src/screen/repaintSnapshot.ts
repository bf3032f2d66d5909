import { isSize } from '../base/size.ts'
import { utf8Encode } from '../base/utf8.ts'
import { rowEnd } from './cells/formats.ts'
import { paintedLength } from './cells/painter.ts'
import { spansOf } from './cells/spans.ts'
import type { RawLine } from './engine/internals.ts'
import { createScreen, engineOf, type Screen } from './screen.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot/snapshotBytes.ts'

const MOST_HISTORY = 1_000 // as much as a snapshot of our own holds

/** `seq` counts the bytes it was painted with, unless it stays in its place: the log of its origin is unknown here. */
export type Repainted = { readonly seq: number; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * A snapshot from another machine, painted anew: its picture is read as a program's output would be, and only text and colours
 * of that are printed into a fresh screen. Its cells, modes, links, titles and queries stay behind. Null where it is no snapshot.
 */
export async function repaintSnapshot(bytes: Uint8Array, { isInPlace = false } = {}): Promise<Repainted | null> {
  const snapshot = decodeSnapshot(bytes)
  if (snapshot === null || !isSize(snapshot)) return null
  const { cols, rows } = snapshot
  const size = { cols, rows, scrollback: MOST_HISTORY }
  const theirs = createScreen(size)
  const ours = createScreen(size)
  try {
    theirs.setAnswering(false)
    for (const { ansi } of snapshot.history) await theirs.feed(utf8Encode(ansi))
    await theirs.feed(utf8Encode(snapshot.screen))
    // It may have asked for another size: the picture is as large as it says.
    await theirs.resize({ cols, rows })
    await ours.feed(utf8Encode(printed(theirs)))
    const picture = isInPlace ? { ...ours.snapshot(), seq: snapshot.seq, lines: snapshot.lines } : ours.snapshot()
    return { seq: picture.seq, bytes: encodeSnapshot(picture) }
  } finally {
    theirs.dispose()
    ours.dispose()
  }
}

/** The rows that are shown and those above them, as text with colours. */
function printed(screen: Screen): string {
  const { internals, terminal } = engineOf(screen)
  const { normal, active } = internals._bufferService.buffers
  const above = lineRange(normal.lines, 0, normal.ybase)
  const rows = [...above, ...lineRange(active.lines, active.ybase, active.ybase + terminal.rows)]
  return rows.map((line, index) => rowAnsi(line, rows[index + 1], { cols: terminal.cols, links: internals._oscLinkService })).join('')
}

type Lines = { readonly length: number; get(index: number): RawLine | undefined }

const lineRange = (lines: Lines, from: number, to: number): RawLine[] =>
  Array.from({ length: Math.max(0, Math.min(to, lines.length) - from) }, (_, at) => lines.get(from + at)).filter(
    (line) => line !== undefined,
  )

/** A row that the next one continues is printed to its end, so that it wraps again. */
function rowAnsi(line: RawLine, next: RawLine | undefined, { cols, links }: Omit<Parameters<typeof spansOf>[1], 'end'>): string {
  const isContinued = next?.isWrapped === true
  const end = isContinued ? rowEnd(line, cols, next) : paintedLength(line, cols)
  const text = spansOf(line, { cols, links, end }).map(({ text, sgr }) => (sgr === '0' ? text : `\x1b[${sgr}m${text}\x1b[0m`))
  return text.join('') + (isContinued || next === undefined ? '' : '\r\n')
}
