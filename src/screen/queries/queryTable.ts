/** What programs ask their terminal. One table for both ways of keeping other terminals from answering. */
export type CsiShape = { readonly prefix?: string; readonly intermediates?: string; readonly final: string }
export type CsiQuery = CsiShape & { /** Only these first parameters ask something. */ readonly only?: ReadonlySet<number> }

const WINDOW_REPORTS: ReadonlySet<number> = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21])

export const CSI_QUERIES: readonly CsiQuery[] = [
  { final: 'c' }, // primary, secondary, tertiary device attributes
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' }, // status, cursor position
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' }, // mode
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' }, // name and version
  { prefix: '?', final: 'u' }, // keyboard protocol
  { prefix: '?', final: 'm' }, // key modifier options
  { prefix: '?', final: 'S' }, // graphics attributes
  { final: 't', only: WINDOW_REPORTS },
  { final: 'x' }, // terminal parameters
  { intermediates: '$', final: 'w' }, // presentation state
  { intermediates: '$', final: 'u' }, // terminal state
  { intermediates: '*', final: 'y' }, // checksum of an area
  { intermediates: '&', final: 'u' }, // preferred character set
  { intermediates: '"', final: 'v' }, // displayed extent
  { intermediates: "'", final: '|' }, // locator position
]

export const DCS_QUERIES: readonly CsiShape[] = [
  { intermediates: '$', final: 'q' }, // status string
  { intermediates: '+', final: 'q' }, // terminfo capability
]

/** OSC numbers that ask when their data has the shape beside them; a field that is just `?` is the usual one. */
const ASKS = /(^|;)\?($|;)/
const OSC_SHAPES: ReadonlyMap<number, RegExp> = new Map([
  ...[4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 7501].map((code) => [code, ASKS] as const),
  [21, /=\?/], // colours by name
  [22, /(^|;)\?/], // pointer shape
  [52, /^[^;]*;\?$/], // clipboard
  [99, /(^|:)p=\?/], // notification support
  [1337, /^(ReportCellSize|ReportVariable|Capabilities)/],
  [5522, /type=read/], // clipboard by type
])

export const OSC_QUERY_CODES: readonly number[] = [...OSC_SHAPES.keys()]
export const isOscQuery = (code: number, data: string): boolean => OSC_SHAPES.get(code)?.test(data) === true

const keyOf = (prefix: string, intermediates: string, final: string): string => `${prefix} ${intermediates} ${final}`
const CSI_BY_SHAPE = new Map(CSI_QUERIES.map((query) => [keyOf(query.prefix ?? '', query.intermediates ?? '', query.final), query]))

/** `body` is everything between CSI and the final byte. */
export function isCsiQuery(body: string, final: string): boolean {
  const [, prefix = '', parameters = '', intermediates = ''] = /^([<-?]?)([0-9:;]*)([ -/]*)$/.exec(body) ?? []
  const query = CSI_BY_SHAPE.get(keyOf(prefix, intermediates, final))
  if (query === undefined || prefix.length + parameters.length + intermediates.length !== body.length) return false
  return query.only === undefined || query.only.has(Number.parseInt(parameters, 10))
}

/** `body` is everything between DCS and the final byte. */
export const isDcsQuery = (body: string, final: string): boolean =>
  DCS_QUERIES.some((query) => query.intermediates === body && query.final === final)

/** The graphics protocol's question whether it is supported. */
export const isGraphicsQuery = (control: string): boolean => /^G(.*,)?a=q(,|;|$)/.test(control)
