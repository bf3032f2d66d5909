import type { Engine } from '../engine/engine.ts'
import type { RawBuffer } from '../engine/internals.ts'
import { readLinks } from '../engine/links.ts'
import { firstDifference, lineAt } from '../engine/patches.ts'
import { type ProgramState, readProgramState } from '../engine/programState.ts'
import { readEngineState } from './beyondAnsi.ts'

/** Everything a terminal is: what it shows, and what it would do with the next byte. */
export type Whole = { readonly engine: Engine; readonly state: ProgramState }

/**
 * In what two terminals differ, of two histories in their newest `history` lines; nothing where they are the same. Cells are
 * compared as the engine keeps them, so a thousand lines take about a millisecond.
 */
export function differingParts(a: Whole, b: Whole, { history }: { history: number }): string[] {
  const [one, other] = [a.engine.internals._bufferService.buffers, b.engine.internals._bufferService.buffers]
  const normal = differingRow(one.normal, other.normal, -history)
  const alternate = differingRow(one.alt, other.alt, 0)
  return [
    ...(normal === null ? [] : [`cells of row ${normal}`]),
    ...(alternate === null ? [] : [`cells of row ${alternate} of the alternate screen`]),
    ...differingState(a, b, { history }),
  ]
}

/** The same for everything but the cells. */
export function differingState(a: Whole, b: Whole, { history }: { history: number }): string[] {
  const everything = ({ engine, state }: Whole): Record<string, unknown> => {
    const { modes: carriedModes, ...program } = readProgramState(state)
    const links = readLinks(engine.internals, -history)
    return { size: [engine.terminal.cols, engine.terminal.rows], ...readEngineState(engine), ...program, carriedModes, links }
  }
  const [mine, theirs] = [everything(a), everything(b)]
  return Object.keys(mine).filter((name) => !same(mine[name], theirs[name]))
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
