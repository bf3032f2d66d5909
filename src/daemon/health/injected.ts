/**
 * With `HOLDFAST_TRIP=health:FILE` a test says in FILE, as JSON and whenever it likes, what is measured and how far the clock is off.
 * Nothing of a machine need be used up to see what the daemon does when it is.
 */
import { readFileSync } from 'node:fs'
import type { Measures } from '../../workspace/load.ts'

type Injected = { readonly clockOffsetMs: number; readonly measures: Partial<Measures> }

const NOTHING: Injected = { clockOffsetMs: 0, measures: {} }
const [, file] = /^health:(.+)$/.exec(process.env['HOLDFAST_TRIP'] ?? '') ?? []

export function injected(): Injected {
  if (file === undefined) return NOTHING
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Injected>) }
  } catch {
    return NOTHING // the test has not said anything yet
  }
}
