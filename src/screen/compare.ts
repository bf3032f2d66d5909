import { type EngineState, readEngineState } from './beyondAnsi.ts'
import { firstDifference } from './cells.ts'
import type { Engine } from './engine.ts'
import type { RawBuffer } from './internals.ts'
import { readLinks } from './links.ts'
import { lineAt } from './patches.ts'
import { type ProgramState, readProgramState } from './programState.ts'

/** Everything a terminal is: what it shows, and what it would do with the next byte. */
export type Whole = { readonly engine: Engine; readonly state: ProgramState }

/**
 * In what two terminals differ, of two histories in their newest `history` lines; nothing where they are the same. Cells are
 * compared as the engine keeps them, so a thousand lines take about a millisecond.
 */
export function differingParts(a: Whole, b: Whole, { history }: { history: number }): string[] {
  const parts: string[] = []
  const [one, other] = [a.engine.internals._bufferService.buffers, b.engine.internals._bufferService.buffers]
  const size = ({ terminal }: Engine) => `${terminal.cols}x${terminal.rows}`
  if (size(a.engine) !== size(b.engine)) parts.push('size')
  const normal = differingRow(one.normal, other.normal, -history)
  if (normal !== null) parts.push(`cells of row ${normal}`)
  const alternate = differingRow(one.alt, other.alt, 0)
  if (alternate !== null) parts.push(`cells of row ${alternate} of the alternate screen`)
  const [mine, theirs] = [readEngineState(a.engine), readEngineState(b.engine)]
  for (const name of Object.keys(mine) as (keyof EngineState)[]) if (!same(mine[name], theirs[name])) parts.push(name)
  const [myState, theirState] = [readProgramState(a.state), readProgramState(b.state)]
  for (const name of Object.keys(myState) as (keyof typeof myState)[]) if (!same(myState[name], theirState[name])) parts.push(name)
  if (!same(readLinks(a.engine.internals, -history), readLinks(b.engine.internals, -history))) parts.push('links')
  return parts
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The first row that differs, counted from the top of the screen; null when none does. */
function differingRow(a: RawBuffer, b: RawBuffer, oldest: number): number | null {
  for (let row = oldest; ; row++) {
    const [line, other] = [lineAt(a, row), lineAt(b, row)]
    if (line === undefined && other === undefined) {
      if (row >= 0) return null
    } else if (line === undefined || other === undefined) return row
    else if (line.length !== other.length || line.isWrapped !== other.isWrapped || firstDifference(line, other, 0) >= 0) return row
  }
}
