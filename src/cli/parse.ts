/** Values as people type them on the command line. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { isUsableSize } from '../wire/holder.ts'
import type { Size } from '../workspace/terminal.ts'

export function parseSize(text: string): Result<Size> {
  const found = /^(\d{1,4})[x×](\d{1,4})$/i.exec(text.trim())
  const size = { cols: Number(found?.[1]), rows: Number(found?.[2]) }
  return isUsableSize(size) ? done(size) : refused(refusals.sizeInvalid(text))
}

/** `K=V` sets, `K` alone hands over the caller's value. Later ones win. */
export function parseEnv(entries: readonly string[], caller: Readonly<Record<string, string | undefined>>): Result<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const name = at < 0 ? entry : entry.slice(0, at)
    const value = at < 0 ? caller[name] : entry.slice(at + 1)
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return usage(`"${entry}" does not set a variable; write NAME=VALUE`)
    if (value === undefined) return usage(`${name} is not set here; write ${name}=VALUE`)
    env[name] = value
  }
  return done(env)
}

export function parseHistory(text: string): Result<number | 'all'> {
  if (text === 'all') return done('all')
  const lines = parseWhole(text)
  return lines === null ? usage(`"${text}" is not a number of lines; write a number or "all"`) : done(lines)
}

const MOST_LINES = 100_000 // what the daemon paints at once

export function parseWholeLines(text: string): Result<number> {
  const lines = parseWhole(text)
  return lines === null || lines > MOST_LINES ? usage(`"${text}" is not a number of lines from 0 to ${MOST_LINES}`) : done(lines)
}

/** Both ends belong to it; `to` is null for the last line there is. */
export type LineRange = { readonly from: number; readonly to: number | null }

/** `FROM-TO`, `FROM-`, `-TO` or one number; lines are counted from 0. */
export function parseLines(text: string): Result<LineRange> {
  const [, start = '', dash, end = ''] = /^(\d*)(-)?(\d*)$/.exec(text) ?? []
  const from = start === '' ? 0 : indexOf(start)
  const to = dash === undefined ? from : end === '' ? null : indexOf(end)
  if ((start === '' && end === '') || from === null || (to === null && end !== ''))
    return usage(`"${text}" is not a range of lines; write FROM-TO, FROM- or -TO, from 1 on`)
  return to !== null && to < from ? usage(`"${text}" ends before it begins`) : done({ from, to })
}

/** People count lines from 1. */
function indexOf(text: string): number | null {
  const number = parseWhole(text)
  return number === null || number < 1 ? null : number - 1
}

/** Seconds, with a fraction if need be, as milliseconds. */
export function parseSeconds(text: string): Result<number> {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(seconds) ? done(Math.round(seconds * 1_000)) : usage(`"${text}" is not a number of seconds`)
}

export function parseCount(text: string, what: string): Result<number> {
  const count = parseWhole(text)
  return count === null || count < 1 ? usage(`"${text}" is not a number of ${what}`) : done(count)
}

/** People count from 1. */
export function parsePosition(text: string): Result<number> {
  const index = indexOf(text)
  return index === null ? usage(`"${text}" is not a position; write a number from 1 on`) : done(index)
}

/** From the whole to a part of it, as in `2.1`: the first part of the second. */
export function parsePath(text: string): Result<readonly number[]> {
  const parts = text.split('.').map(indexOf)
  const path = parts.filter((part) => part !== null)
  return path.length < parts.length ? usage(`"${text}" names no part; write numbers from 1 on, like 2.1`) : done(path)
}

/** Only their ratio counts: `2 1` is `66 33`. */
export function parseShares(texts: readonly string[]): Result<number[]> {
  const shares = texts.map((text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN))
  const wrong = texts[shares.findIndex((share) => !(share > 0 && Number.isFinite(share)))]
  if (wrong !== undefined) return usage(`"${wrong}" is not a size; write a number above 0`)
  return shares.length < 2 ? usage('give a size for each part') : done(shares)
}

/** A point of the canvas, in pixels. */
export function parsePoint(text: string): Result<{ readonly x: number; readonly y: number }> {
  const [, x, y] = /^(-?\d+),(-?\d+)$/.exec(text.trim()) ?? []
  return x === undefined || y === undefined
    ? usage(`"${text}" is not a point; write X,Y like -40,120`)
    : done({ x: Number(x), y: Number(y) })
}

/** How large a tile of the canvas is, in pixels. */
export function parseExtent(text: string): Result<{ readonly width: number; readonly height: number }> {
  const [, width = '0', height = '0'] = /^(\d{1,6})[x×](\d{1,6})$/i.exec(text.trim()) ?? []
  const extent = { width: Number(width), height: Number(height) }
  return extent.width > 0 && extent.height > 0 ? done(extent) : usage(`"${text}" is not a size; write WIDTHxHEIGHT like 720x450`)
}

export const parseKeys = (text: string): readonly string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')

/** One of a few words; undefined where the option was not given. */
export function parseChoice<Choice extends string>(
  text: string | undefined,
  choices: readonly Choice[],
  option: string,
): Result<Choice | undefined> {
  if (text === undefined) return done(undefined)
  const found = choices.find((choice) => choice === text)
  return found === undefined ? usage(`"${text}" is not for ${option}; it takes ${choices.join(', ')}`) : done(found)
}

/** The command line adds which --help tells more. */
export const usage = (message: string) => refused(refusals.usage(message, 'holdfast --help'))

function parseWhole(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
