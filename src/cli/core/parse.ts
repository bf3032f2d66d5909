/** Values as people type them on the command line. */
import { isAbsolute, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { isUsableSize } from '../../wire/holder.ts'
import type { Where } from '../../workspace/layout/layout.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Cli, Env, Input } from './verb.ts'

export function parseSize(text: string): Result<Size> {
  const found = /^(\d{1,4})[x×](\d{1,4})$/i.exec(text.trim())
  const size = { cols: Number(found?.[1]), rows: Number(found?.[2]) }
  return isUsableSize(size) ? done(size) : refused(refusals.sizeInvalid(text))
}

/** `K=V` sets, `K` alone passes the caller's value on. Later ones win. */
export function parseEnv(entries: readonly string[], caller: Env): Result<Record<string, string>> {
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

/** The caller's environment as the daemon takes it: the daemon's allow-list decides what a program gets. */
export const inheritedEnv = (env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** The working directory may be gone: then reading `cli.cwd` throws, which matters only for a relative path. */
export function parseDirectory(cli: Pick<Cli, 'cwd' | 'env'>, typed: string): Result<string> {
  if (isAbsolute(typed)) return done(resolve(typed))
  try {
    return done(resolve(cli.cwd, typed))
  } catch {
    return refused(refusals.cwdMissing(cli.env['PWD'] ?? typed))
  }
}

export const PLACES: readonly Where[] = ['left', 'right', 'top', 'bottom', 'center']

/** --beside and --where of `new` and `move`; undefined where neither was given. */
export function parseBeside(input: Input): Result<{ terminal: string; where: Where } | undefined> {
  const [terminal, where] = [input.text('beside'), chosen(input.text('where'), PLACES)]
  if (terminal !== undefined) return done({ terminal, where: where ?? 'right' })
  return where === undefined ? done(undefined) : usage('--where needs --beside TERMINAL')
}

export function parseHistory(text: string): Result<number | 'all'> {
  if (text === 'all') return done('all')
  const lines = parseWhole(text)
  return lines === null ? usage(`"${text}" is not a number of lines; write a number or "all"`) : done(lines)
}

const MOST_LINES = 100_000 // the daemon paints no more at once

export function parseWholeLines(text: string): Result<number> {
  const lines = parseWhole(text)
  return lines === null || lines > MOST_LINES ? usage(`"${text}" is not a number of lines from 0 to ${MOST_LINES}`) : done(lines)
}

/** Both ends are included; `to` is null for the newest line. */
export type LineRange = { readonly from: number; readonly to: number | null }

/** `FROM-TO`, `FROM-`, `-TO` or one number; lines are counted from 0. */
export function parseLines(text: string): Result<LineRange> {
  const [, start = '', dash, end = ''] = /^(\d*)(-)?(\d*)$/.exec(text) ?? []
  const from = start === '' ? 0 : indexOf(start)
  const to = dash === undefined ? from : end === '' ? null : indexOf(end)
  if ((start === '' && end === '') || from === null || (to === null && end !== ''))
    return usage(`"${text}" is not a range of lines; write FROM-TO, FROM- or -TO, counted from 1`)
  return to !== null && to < from ? usage(`"${text}" ends before it begins`) : done({ from, to })
}

/** People count lines from 1. */
function indexOf(text: string): number | null {
  const number = parseWhole(text)
  return number === null || number < 1 ? null : number - 1
}

/** Seconds, with an optional fraction, as milliseconds. */
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
  return index === null ? usage(`"${text}" is not a position; write a number from 1`) : done(index)
}

/** A part of a split: `2.1` is the first part of the second part. */
export function parsePath(text: string): Result<readonly number[]> {
  const parts = text.split('.').map(indexOf)
  const path = parts.filter((part) => part !== null)
  return path.length < parts.length ? usage(`"${text}" is not a path of a split; write numbers from 1, such as 2.1`) : done(path)
}

/** Only the ratio counts: `2 1` is `66 33`. */
export function parseShares(texts: readonly string[]): Result<number[]> {
  const shares = texts.map((text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN))
  const wrong = texts[shares.findIndex((share) => !(share > 0 && Number.isFinite(share)))]
  if (wrong !== undefined) return usage(`"${wrong}" is not a size; write a number above 0`)
  return shares.length < 2 ? usage('give one size for each part') : done(shares)
}

/** A point of the canvas, in pixels. */
export function parsePoint(text: string): Result<{ readonly x: number; readonly y: number }> {
  const [, x, y] = /^(-?\d+),(-?\d+)$/.exec(text.trim()) ?? []
  return x === undefined || y === undefined
    ? usage(`"${text}" is not a point; write X,Y like -40,120`)
    : done({ x: Number(x), y: Number(y) })
}

/** The size of a tile of the canvas, in pixels. */
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

/** An operand that must be one of a few words. */
export function parseChoice<Choice extends string>(text: string, choices: readonly Choice[], what: string): Result<Choice> {
  const found = choices.find((choice) => choice === text)
  return found === undefined ? usage(`"${text}" is not valid for ${what}; choose one of ${choices.join(', ')}`) : done(found)
}

/** The value of an option with `choices`: the command line has refused all others. */
export const chosen = <Choice extends string>(text: string | undefined, choices: readonly Choice[]): Choice | undefined =>
  choices.find((choice) => choice === text)

/** The command line replaces the hint with the --help of its verb. */
export const usage = (message: string) => refused(refusals.usage(message, 'holdfast --help'))

function parseWhole(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
