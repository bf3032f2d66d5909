/**
 * src/screen/queries: what programs ask their terminal. queryTable.ts says what is a question, replies.ts answers it, this file
 * removes questions from bytes for other terminals.
 */
import { joinBytes } from '../engine/safeCut.ts'
import { C1, ESC, effectsInside, endOfPassing, endOfPlainControl, isIntroducer, readSequence, sequenceFinder } from './querySequences.ts'
import { CSI_QUERIES, DCS_QUERIES, isOscQuery, OSC_QUERY_CODES } from './queryTable.ts'

/**
 * The daemon's screen answers what programs ask their terminal; no other terminal may, or the program gets two answers and
 * takes the second for keys. The filter keeps the questions from a user's own terminal, `muteQueries` from the page's.
 */
export type QueryFilter = {
  /** Returns the bytes to pass on: without queries, and without an unfinished sequence that could become one. */
  (chunk: Uint8Array): Uint8Array
  /** What is still held back, when nothing more will come. */
  flush(): Uint8Array
}

const ENQ = 0x05
const NOTHING = new Uint8Array(0)
const STRING_END = Uint8Array.of(ESC, 0x5c)
const CANCEL = Uint8Array.of(0x18)

/** What ended a sequence before it was complete: an ESC lets a string take effect, a C1 control does not. */
type Dangling = 'esc' | 'c1' | null
const danglingAt = (data: Uint8Array, at: number): Dangling => (data[at] === ESC ? 'esc' : isIntroducer(data, at) ? 'c1' : null)
const endOf = (dangling: Dangling): Uint8Array => (dangling === null ? NOTHING : dangling === 'esc' ? STRING_END : CANCEL)

export function createQueryFilter(): QueryFilter {
  let held: Uint8Array = NOTHING
  /** In what that is passed on unseen, the filter stands. */
  let passing: 'string' | 'oscString' | 'control' | null = null
  /** Whether something unfinished was passed on before the next ESC: it must be ended should what begins there be taken out. */
  let dangling: Dangling = null

  const push = (bytes: Uint8Array): Uint8Array => {
    // Some terminals answer this one byte with a text of their own.
    const chunk = bytes.indexOf(ENQ) < 0 ? bytes : bytes.filter((byte) => byte !== ENQ)
    const data = held.length === 0 ? chunk : joinBytes(held, chunk)
    if (passing === null && held.length === 0 && data.indexOf(ESC) < 0 && data.indexOf(C1) < 0) return data
    const next = sequenceFinder(data)
    held = NOTHING
    const pieces: Uint8Array[] = []
    let from = 0
    let at = 0
    for (;;) {
      if (passing !== null) {
        const end = endOfPassing(data, at, passing)
        if (end === data.length) break
        if (data[end] === C1 && end + 1 === data.length) {
          held = data.slice(end)
          pieces.push(data.subarray(from, end))
          from = data.length
          break
        }
        dangling = danglingAt(data, end)
        at = dangling === null ? end + 1 : end
        passing = null
      }
      at = next(at)
      if (at < 0) break
      const plainEnd = endOfPlainControl(data, at)
      if (plainEnd > 0) {
        dangling = null
        at = plainEnd
        continue
      }
      const { verdict, end } = readSequence(data, at)
      if (verdict === 'unfinished') {
        held = data.slice(at)
        pieces.push(data.subarray(from, at))
        from = data.length
        break
      }
      if (verdict === 'query') {
        pieces.push(data.subarray(from, at), endOf(dangling), effectsInside(data, at, end))
        from = end
      }
      dangling = verdict === 'cancelled' ? danglingAt(data, end) : null
      passing = verdict === 'string' || verdict === 'oscString' || verdict === 'control' ? verdict : null
      at = end
    }
    if (from === 0) return data
    pieces.push(data.subarray(from))
    return joinBytes(...pieces)
  }
  const flush = () => {
    const rest = held
    held = NOTHING
    return rest
  }
  return Object.assign(push, { flush })
}

/** What `@xterm/headless` and `@xterm/xterm` terminals have in common here. */
export type ParserTarget = {
  readonly parser: {
    registerCsiHandler(
      id: { prefix?: string; intermediates?: string; final: string },
      callback: (params: (number | number[])[]) => boolean,
    ): { dispose(): void }
    registerDcsHandler(id: { prefix?: string; intermediates?: string; final: string }, callback: () => boolean): { dispose(): void }
    registerEscHandler(id: { final: string }, callback: () => boolean): { dispose(): void }
    registerOscHandler(code: number, callback: (data: string) => boolean): { dispose(): void }
  }
}

/** Makes an xterm.js terminal draw everything and answer nothing. */
export function muteQueries({ parser }: ParserTarget): { dispose(): void } {
  const handlers = [
    parser.registerEscHandler({ final: 'Z' }, () => true),
    ...CSI_QUERIES.map(({ only, ...shape }) =>
      parser.registerCsiHandler(shape, ([first]) => only === undefined || (typeof first === 'number' && only.has(first))),
    ),
    ...DCS_QUERIES.map((shape) => parser.registerDcsHandler(shape, () => true)),
    ...OSC_QUERY_CODES.map((code) => parser.registerOscHandler(code, (data) => isOscQuery(code, data))),
  ]
  return {
    dispose() {
      for (const handler of handlers) handler.dispose()
    },
  }
}
