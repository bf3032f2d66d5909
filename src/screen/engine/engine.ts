/**
 * src/screen/engine: the emulator (@xterm/headless, imported here alone), its internals as types (internals.ts), bounds on what a
 * program can make it keep (stringCaps.ts, linkCaps.ts, engineGuards.ts), character widths, and where a byte stream may be cut
 * (safeCut.ts).
 */
import xterm from '@xterm/headless'
import { guardEngine } from './engineGuards.ts'
import { type Internals, internalsOf, type RawCharset } from './internals.ts'
import { registerWidths } from './widths.ts'

/** The terminal emulator behind every screen. Nothing else imports the library. */
export type Engine = {
  readonly terminal: xterm.Terminal
  readonly internals: Internals
  /** Parses now and calls back before it returns. */
  write(data: Uint8Array | string, parsed: () => void): void
  dispose(): void
}

export type EngineOptions = { readonly cols: number; readonly rows: number; readonly scrollback: number }

export function createEngine({ cols, rows, scrollback }: EngineOptions): Engine {
  const terminal = new xterm.Terminal({
    cols,
    rows,
    scrollback,
    allowProposedApi: true, // the width provider and the parser hooks
    logLevel: 'off', // otherwise every odd byte of a program ends on our standard error
    windowOptions: { getWinSizeChars: true, pushTitle: true, popTitle: true }, // never a title report
  })
  registerWidths(terminal)
  guardEngine(terminal)
  const internals = internalsOf(terminal)
  return {
    terminal,
    internals,
    write(data, parsed) {
      // User input makes the engine parse the next write at once instead of after a timer of a millisecond or more.
      terminal.input('', true)
      terminal.write(data, parsed)
    },
    dispose: () => terminal.dispose(),
  }
}

const DESIGNATORS = '0A4C5RQKYE6ZH7='
let charsets: ReadonlyMap<RawCharset, string> | null = null

/** The engine's character sets by the final byte that designates them; `B`, ASCII, is not listed. */
function charsetsByDesignator(): ReadonlyMap<RawCharset, string> {
  charsets ??= learnCharsets()
  return charsets
}

export const charsetDesignator = (charset: RawCharset | undefined): string =>
  charset === undefined ? 'B' : (charsetsByDesignator().get(charset) ?? 'B')

export function charsetByDesignator(designator: string): RawCharset | undefined {
  for (const [charset, name] of charsetsByDesignator()) if (name === designator) return charset
  return undefined
}

function learnCharsets(): ReadonlyMap<RawCharset, string> {
  const engine = createEngine({ cols: 2, rows: 1, scrollback: 0 })
  const found = new Map<RawCharset, string>()
  for (const designator of DESIGNATORS) {
    engine.write(`\x1b(${designator}`, () => {
      const charset = engine.internals._charsetService.charset
      if (charset !== undefined && !found.has(charset)) found.set(charset, designator)
    })
  }
  engine.dispose()
  return found
}
