import { createEngine } from '../engine/engine.ts'
import { readLinks } from '../engine/links.ts'
import { diffLines, type LinePatch, type Rows } from '../engine/patches.ts'
import { createProgramState, readProgramState } from '../engine/programState.ts'
import type { LineMark } from '../lines/lines.ts'
import { readEngineState } from './beyondAnsi.ts'
import { differingParts, differingState, type Whole } from './compare.ts'
import { restoreAnsi, restoreCells } from './restoreSnapshot.ts'
import { serialize } from './serialize.ts'
import { type HistoryChunk, historyRows, type Snapshot } from './snapshot.ts'

/** A snapshot, and in what a screen restored from it differs from the one it was taken of: nothing, or it is not exact. */
export type CheckedSnapshot = { readonly snapshot: Snapshot; readonly differs: readonly string[] }

type Moment = {
  readonly seq: number
  readonly pending: string
  readonly title: string
  readonly history: number
  readonly lines: (history: number) => LineMark
}

/**
 * Every snapshot is restored at once into a second terminal. Cells that come out otherwise are added as patches; whatever
 * differs after that is said.
 */
export function takeSnapshot(original: Whole, moment: Moment): CheckedSnapshot {
  const plain = serializeWithin(original, moment)
  const { cols, rows } = original.engine.terminal
  const history = historyRows(plain)
  const engine = createEngine({ cols, rows, scrollback: history })
  const copy: Whole = { engine, state: createProgramState() }
  try {
    restoreAnsi(copy, plain)
    const snapshot = patched(plain, original, copy)
    if (snapshot === null) return { snapshot: plain, differs: ['more cells than can be patched'] }
    // Without a patch every cell was just found to be the same.
    if (snapshot === plain) return { snapshot, differs: differingState(original, copy, { history }) }
    restoreCells(copy, snapshot)
    return { snapshot, differs: differingParts(original, copy, { history }) }
  } finally {
    engine.dispose()
  }
}

/** As much history as was asked for, as far as it fits. */
function serializeWithin(original: Whole, { seq, pending, title, history, lines }: Moment): Snapshot {
  const { engine, state } = original
  const kept = Math.min(Math.max(0, history), engine.internals._bufferService.buffers.normal.ybase)
  const { screen, history: painted } = serialize(engine, state, { history: kept })
  const chunks = within(painted, MAX_SNAPSHOT_BYTES - utf8Length(screen)).map((chunk): HistoryChunk => ({ ...chunk, patches: [] }))
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0)
  return {
    version: 2,
    seq,
    cols: engine.terminal.cols,
    rows: engine.terminal.rows,
    history: chunks,
    screen,
    pending,
    title,
    lines: lines(rows),
    engine: readEngineState(engine),
    program: readProgramState(state),
    links: readLinks(engine.internals, -rows),
    patches: { normal: [], alternate: [] },
  }
}

/** The newest chunks that fit. */
function within<Chunk extends { readonly ansi: string }>(chunks: readonly Chunk[], bytes: number): readonly Chunk[] {
  let left = bytes
  let from = chunks.length
  while (from > 0) {
    left -= utf8Length(chunks[from - 1]?.ansi ?? '')
    if (left < 0) break
    from--
  }
  return chunks.slice(from)
}

function patched(plain: Snapshot, original: Whole, copy: Whole): Snapshot | null {
  const [wanted, painted] = [original.engine.internals._bufferService.buffers, copy.engine.internals._bufferService.buffers]
  const past = historyRows(plain)
  const normal = diffLines(wanted.normal, painted.normal, { from: -past, to: plain.engine.normalBuffer.lines })
  const alternate = diffLines(wanted.alt, painted.alt, { from: 0, to: plain.engine.alternateBuffer.lines })
  if (normal === null || alternate === null) return null
  if (normal.length + alternate.length === 0) return plain
  let from = -past
  const history = plain.history.map((chunk) => {
    const rows = { from, to: from + chunk.rows }
    from = rows.to
    return { ...chunk, patches: normal.filter((patch) => isWithin(patch, rows)) }
  })
  return { ...plain, history, patches: { normal: normal.filter(({ row }) => row >= 0), alternate } }
}

const isWithin = ({ row }: LinePatch, { from, to }: Rows): boolean => row >= from && row < to

/** A snapshot is sent to clients and kept again and again; of a longer history the oldest part is left to the log. */
export const MAX_SNAPSHOT_BYTES = 4 << 20

/** Bytes of a text in UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
