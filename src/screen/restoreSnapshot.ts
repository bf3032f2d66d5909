import { applyEngineState } from './beyondAnsi.ts'
import type { Whole } from './compare.ts'
import { applyLinks } from './links.ts'
import { applyPatches } from './patches.ts'
import { applyProgramState } from './programState.ts'
import { type Snapshot, snapshotAnsi } from './snapshot.ts'

/** Into a fresh engine of the snapshot's size. Everything but cells that ANSI cannot bring about is right after it. */
export function restoreAnsi(whole: Whole, snapshot: Snapshot): void {
  const { engine, state } = whole
  engine.write(snapshotAnsi({ ...snapshot, pending: '' }), () => undefined)
  const { normal } = engine.internals._bufferService.buffers
  const oldest = snapshot.history[0]
  applyEngineState(engine, snapshot.engine)
  const first = oldest === undefined ? undefined : normal.lines.get(0)
  if (first !== undefined && oldest !== undefined) first.isWrapped = oldest.continued
  applyLinks(engine.internals, snapshot.links)
  applyProgramState(state, snapshot.program)
}

export function restoreCells({ engine: { internals } }: Whole, snapshot: Snapshot): void {
  const { normal, alt } = internals._bufferService.buffers
  for (const { patches } of snapshot.history) applyPatches(internals, normal, patches)
  applyPatches(internals, normal, snapshot.patches.normal)
  applyPatches(internals, alt, snapshot.patches.alternate)
}
