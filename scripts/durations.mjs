#!/usr/bin/env node
/**
 * How many seconds each test file takes: test/durations.json, by which a test run starts the longest first. Every run leaves what it
 * measured in build/durations.json; `--write` takes that over. Without it, checks that every file on the list exists.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT } from './steps.mjs'

const LIST = 'test/durations.json'
const MEASURED = 'build/durations.json'
const SAME_S = 0.5 // differences up to this, or to a quarter, are the machine's

export const readDurations = (root) => read(join(root, LIST)) ?? {}

/** Adds to what earlier runs measured: a run may be of some files only. */
export function keepMeasured(root, seconds) {
  const path = join(root, MEASURED)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ ...read(path), ...seconds }))
}

/** Null for a file that is missing or cut short: two runs may write at once. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** @returns {string[]} one line per fault */
export function faultsOf(root) {
  const listed = read(join(root, LIST))
  if (listed === null) return [`${LIST}  is missing or is not JSON`]
  const missing = Object.keys(listed).filter((name) => !existsSync(join(root, name)))
  return missing.map((name) => `${name}  is in ${LIST} and does not exist`)
}

/** The list as it should be: files that exist, by name, with what was measured last unless it is about the same. */
export function renewed(root) {
  const listed = readDurations(root)
  const measured = read(join(root, MEASURED)) ?? {}
  const names = Object.keys({ ...listed, ...measured }).filter((name) => existsSync(join(root, name)))
  return Object.fromEntries(names.sort().map((name) => [name, newer(listed[name], measured[name])]))
}

function newer(before, now) {
  if (before === undefined || now === undefined) return now === undefined ? before : rounded(now)
  return Math.abs(now - before) <= Math.max(SAME_S, before / 4) ? before : rounded(now)
}

const rounded = (seconds) => Math.round(seconds * 10) / 10

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
  const root = resolve(positionals[0] ?? ROOT)
  if (values.write) writeFileSync(join(root, LIST), `${JSON.stringify(renewed(root), null, 2)}\n`)
  const faults = faultsOf(root)
  for (const fault of faults) console.error(`${fault}   (run: npm run durations)`)
  console.log(faults.length === 0 ? 'durations: every file on the list exists' : `durations: ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
