/** The last screen of a terminal as an image. The page says in the query how its own drawing looks, so that both are alike. */
import type { IncomingMessage } from 'node:http'
import type { Result } from '../../base/refusal.ts'
import type { StillLook } from '../../screen/snapshot/still.ts'
import type { Capability } from '../../wire/capability.ts'
import { type Answer, textAnswer } from './answer.ts'

export type StillRequest = {
  readonly terminal: string
  /** The run that was shown when it was asked for; null where that is not known. */
  readonly run: string | null
  readonly checkpoint: string | null
  readonly look: StillLook
  /** Of the device that asks. */
  readonly capability: Capability
}
export type DrawStill = (asked: StillRequest) => Promise<Result<string>>

/** Opened by itself it is a document: nothing in it may run or load. */
const HEADERS = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" }

export async function stillAnswer(request: IncomingMessage, draw: DrawStill, capability: Capability): Promise<Answer> {
  const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
  const terminal = query.get('terminal')
  const look = lookIn(query)
  if (terminal === null || look === null) return textAnswer(400, 'The query must name a terminal and how it looks.')
  const drawn = await draw({ terminal, run: query.get('run'), checkpoint: query.get('checkpoint'), look, capability })
  // No picture is not a fault: a terminal may be closed, or private, by the time its picture is asked for.
  if (!drawn.ok) return { status: 204, type: 'text/plain; charset=utf-8', body: '' }
  return { status: 200, type: 'image/svg+xml; charset=utf-8', body: drawn.value, headers: HEADERS }
}

const COLOURS = 18

/** Null where something is missing or makes no sense. */
function lookIn(query: URLSearchParams): StillLook | null {
  const colours = (query.get('colours') ?? '').split('-')
  const [width, height] = (query.get('cell') ?? '').split('x').map(Number)
  const numbers = { width, height, baseline: numberIn(query, 'baseline'), fontSize: numberIn(query, 'size') }
  const contrast = numberIn(query, 'contrast')
  const font = query.get('font') ?? ''
  const isWhole = colours.length === COLOURS && colours.every((colour) => /^[0-9a-f]{6}$/.test(colour))
  if (!isWhole || !/^[^\x00-\x1f\x7f;{}<>\\]{1,400}$/.test(font) || !(contrast >= 1 && contrast <= 21)) return null
  if (!Object.values(numbers).every(isPixels)) return null
  const { width: cellWidth, height: cellHeight, baseline, fontSize } = numbers as Readonly<Record<keyof typeof numbers, number>>
  const [foreground = BLACK, background = BLACK, ...ansi] = colours.map(rgbIn)
  const cell = { width: cellWidth, height: cellHeight }
  return { theme: { foreground, background, ansi }, contrast, font, fontSize, cell, baseline }
}

const BLACK = [0, 0, 0] as const

const numberIn = (query: URLSearchParams, name: string): number => Number(query.get(name) ?? Number.NaN)
const isPixels = (value: number | undefined): boolean => value !== undefined && value >= 1 && value <= 200
const rgbIn = (hex: string) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]
