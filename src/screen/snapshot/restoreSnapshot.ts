import type { RawBuffer } from '../engine/internals.ts'
import { applyLinks } from '../engine/links.ts'
import { applyPatches } from '../engine/patches.ts'
import { applyProgramState } from '../engine/programState.ts'
import { applyEngineState } from './beyondAnsi.ts'
import type { Whole } from './compare.ts'
import { historyRows, type Snapshot, snapshotAnsi } from './snapshot.ts'

/** Into a fresh engine of the snapshot's size. Everything but cells that ANSI cannot bring about is right after it. */
export function restoreAnsi(whole: Whole, snapshot: Snapshot): void {
  const { engine, state } = whole
  engine.write(snapshotAnsi({ ...snapshot, pending: '' }), () => undefined)
  const { normal } = engine.internals._bufferService.buffers
  const oldest = snapshot.history[0]
  trimHistory(normal, historyRows(snapshot))
  applyEngineState(engine, snapshot.engine)
  const first = oldest === undefined ? undefined : normal.lines.get(0)
  if (first !== undefined && oldest !== undefined) first.isWrapped = oldest.continued
  applyLinks(engine.internals, snapshot.links)
  applyProgramState(state, snapshot.program)
}

/** Odd cells may have been painted over the end of a line, so that more has scrolled away than there was. */
function trimHistory(buffer: RawBuffer, rows: number): void {
  const extra = buffer.ybase - rows
  if (extra <= 0) return
  buffer.lines.trimStart(extra)
  buffer.ybase -= extra
  buffer.ydisp -= extra
}

export function restoreCells({ engine: { internals } }: Whole, snapshot: Snapshot): void {
  const { normal, alt } = internals._bufferService.buffers
  for (const { patches } of snapshot.history) applyPatches(internals, normal, patches)
  applyPatches(internals, normal, snapshot.patches.normal)
  applyPatches(internals, alt, snapshot.patches.alternate)
}
