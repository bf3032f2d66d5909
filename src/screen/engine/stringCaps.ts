/**
 * How much of one string (OSC or DCS) is kept until it ends. The engine's own limit is ten million characters, for each of the
 * handlers of that string. Beyond the limit the string does nothing, as with the engine's own; where it ends does not change.
 */
export const MAX_STRING = 1 << 20 // characters; the longest useful ones are images and clipboards, which are not read here

type Put = (data: Uint32Array, start: number, end: number) => void

export type StringTarget = {
  readonly _oscParser: { put: Put; start(): void; reset(): void; _state: number }
  readonly _dcsParser: { put: Put; hook(ident: number, params: unknown): void; reset(): void }
}

const OSC_ABORTED = 3

/** Parsers whose current string was too long. */
const overlong = new WeakSet<object>()

/** How many strings each parser has begun to read. */
const begunBy = new WeakMap<object, number>()

export const stringsBegun = (parser: StringTarget): number => begunBy.get(parser) ?? 0

const isOverlong = (parser: StringTarget): boolean => overlong.has(parser)

export function capStrings(parser: StringTarget): void {
  const { _oscParser: osc, _dcsParser: dcs } = parser
  let length = 0
  const counted = (put: Put, giveUp: () => void): Put => {
    return (data, start, end) => {
      if (overlong.has(parser)) return
      length += end - start
      if (length <= MAX_STRING) return put(data, start, end)
      overlong.add(parser)
      giveUp()
    }
  }
  const begun = () => {
    length = 0
    overlong.delete(parser)
    begunBy.set(parser, stringsBegun(parser) + 1)
  }
  const [startOsc, hookDcs] = [osc.start.bind(osc), dcs.hook.bind(dcs)]
  osc.put = counted(osc.put.bind(osc), () => {
    osc.reset() // the handlers let go of what they have
    osc._state = OSC_ABORTED
  })
  dcs.put = counted(dcs.put.bind(dcs), () => dcs.reset())
  osc.start = () => {
    begun()
    startOsc()
  }
  dcs.hook = (ident, params) => {
    begun()
    hookDcs(ident, params)
  }
}

const SOS_PM_APC = 7
const OSC = 8
const DCS_IGNORED = 11
const DCS = 13

/**
 * What to write to another parser so that it swallows the rest of the string that this one is in; null while the string may
 * still do something when it ends.
 */
export function swallowing(parser: StringTarget & { readonly currentState: number }, length: number): string | null {
  switch (parser.currentState) {
    case OSC:
      return isOverlong(parser) ? '\x1b]!' : null
    case DCS:
      return isOverlong(parser) ? '\x1bP~' : null
    case SOS_PM_APC:
      return length > MAX_STRING ? '\x1b_' : null
    case DCS_IGNORED:
      return length > MAX_STRING ? '\x1bP0<' : null
    default:
      return null
  }
}
