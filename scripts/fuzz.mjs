#!/usr/bin/env node
/** Feeds everything that reads foreign bytes with bytes that were made to hurt: see test/fuzz/ for what is asked of each target. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFuzz } from './fuzzThread.mjs'
import { numberOption, ROOT, say, step } from './steps.mjs'

const HELP = `npm run fuzz -- [NAME...] [--seconds 60] [--seed N] [--cases N]
Runs the named targets in turn, or all of them, for so many seconds each. A failure prints its seed and the smallest case
found; --seed repeats it. --cases ends after so many cases instead.`

const TOLD_EVERY_MS = 5_000
const SHOWN_LENGTH = 1_500 // characters of a case; the whole of it is in the file

process.chdir(ROOT)
const numberOf = (option, otherwise) => numberOption(option, otherwise, Number.isSafeInteger)
const fuzz = await openFuzz()
try {
  await main()
} finally {
  fuzz.close()
}

async function main() {
  if (process.argv.includes('--help')) return console.log([HELP, '', ...listed()].join('\n'))
  const targets = wanted()
  if (targets === null) return
  if (targets.some(({ isReal }) => isReal === true)) step('build', process.execPath, 'scripts/build.mjs')
  const root = mkdtempSync(join(tmpdir(), 'hf-'))
  Object.assign(process.env, { HOLDFAST_TEST_ROOT: root, TMPDIR: root }) // homes and files of the targets
  try {
    for (const target of targets) await run(target)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function listed() {
  const width = Math.max(...fuzz.targets.map(({ name }) => name.length))
  return fuzz.targets.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`)
}

/** Null where a name is not known. */
function wanted() {
  const given = process.argv.slice(2)
  const names = given.filter((word, index) => !word.startsWith('--') && !given[index - 1]?.startsWith('--'))
  const unknown = names.find((name) => !fuzz.targets.some((target) => target.name === name))
  if (unknown === undefined) return names.length === 0 ? fuzz.targets : fuzz.targets.filter(({ name }) => names.includes(name))
  console.error([`there is no fuzz target ${unknown}. Known are:`, ...listed()].join('\n'))
  process.exitCode = 2
  return null
}

async function run({ name }) {
  const cases = numberOf('--cases', 0)
  const seed = numberOf('--seed', Date.now() % 1_000_000_000)
  const order = cases > 0 ? { cases } : { seconds: numberOf('--seconds', 60) }
  say(`${name}: ${cases > 0 ? `${cases} cases` : `${order.seconds} s`}, seed ${seed}`)
  let told = performance.now()
  const progress = (done) => {
    if (performance.now() - told < TOLD_EVERY_MS) return
    told = performance.now()
    say(`${name}: ${done} cases`)
  }
  const report = await fuzz.run({ name, seed, ...order, progress })
  const known = report.known > 0 ? `, ${report.known} failed as known` : ''
  if (report.failure === null) return say(`${name}: ok, ${report.cases} cases${known}, memory grew by ${report.grownMB.toFixed(1)} MB`)
  tellFailure(name, report.failure)
  process.exitCode = 1
}

function tellFailure(name, { seed, what, minimal }) {
  const folder = join(ROOT, 'test/artifacts')
  mkdirSync(folder, { recursive: true })
  const file = `fuzz-${name}-${seed}.txt`
  writeFileSync(join(folder, file), `seed ${seed}: ${what}\n${minimal}\n`)
  const shown = minimal.length > SHOWN_LENGTH ? `${minimal.slice(0, SHOWN_LENGTH)}…` : minimal
  console.error(`${name}: FAILED, seed ${seed}: ${what}\n${shown}\n`)
  console.error(`kept in test/artifacts/${file}; repeat it with: npm run fuzz -- ${name} --seed ${seed} --cases ${fuzz.batch}`)
}
