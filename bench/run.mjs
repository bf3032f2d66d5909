#!/usr/bin/env node
/**
 * Measures Holdfast next to its peers in the same run and holds it against its budgets.
 *   npm run bench -- [echo] [throughput] … [--quick] [--json] [--strict]
 * Without a name: all (--help lists them). Results are also kept in bench/results/. A missed budget fails the run only with --strict.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { judge } from './judge.mjs'
import { within } from './lab/clock.mjs'
import { closeAllLabsAtOnce, Lab } from './lab/lab.mjs'
import { tmuxVersion } from './lab/tmux.mjs'
import { renderTable } from './table.mjs'

const FIGURES = [
  'echo',
  'throughput',
  'flood',
  'feeding',
  'snapshot',
  'history',
  'memory',
  'scrollback',
  'ls',
  'attach',
  'boot',
  'cold',
  'checkpoint',
  'idle',
  'page',
  'sleep',
  'hostile',
  'crowd',
]
const RESULTS = fileURLToPath(new URL('results/', import.meta.url))
/** Our own processes make a load of about one per core. */
const BUSY_LOAD = 1.5
const BUDGETS = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'))

// Reading the certificates of a company takes every Node 40 ms more to start; what is measured is to be ours.
for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS']) delete process.env[name]

/** Progress goes beside the result; a terminal shows only the latest step. */
function say(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else process.stderr.write(`${text}\n`)
}

function readArguments() {
  const flag = { type: 'boolean', default: false }
  const { values, positionals } = parseArgs({ options: { quick: flag, json: flag, strict: flag, help: flag }, allowPositionals: true })
  const unknown = positionals.filter((name) => !FIGURES.includes(name))
  if (unknown.length > 0) throw new Error(`no figure ${unknown.join(', ')}: there are ${FIGURES.join(', ')}`)
  return { ...values, figures: positionals.length > 0 ? FIGURES.filter((name) => positionals.includes(name)) : FIGURES }
}

/** One figure in a lab of its own; a figure that cannot be measured does not cost the others. */
async function measureFigure(name, quick) {
  const lab = new Lab()
  try {
    const { measure, limitS } = await import(`./figures/${name}.mjs`)
    const rows = await within(limitS * 1_000, name, measure(lab, { quick, say }))
    return { rows: rows.map((row) => judge(row, BUDGETS[row.figure])), failure: null }
  } catch (error) {
    return { rows: [], failure: { figure: name, message: error.message } }
  } finally {
    await lab.close()
  }
}

async function measureAll({ figures, quick }) {
  const began = Date.now()
  const load = loadavg()[0]
  const outcomes = []
  for (const name of figures) outcomes.push(await measureFigure(name, quick))
  if (process.stderr.isTTY) say('')
  const machine = { cpu: cpus()[0]?.model ?? '', cores: availableParallelism(), load: Math.max(load, loadavg()[0]) }
  return {
    when: new Date(began).toISOString(),
    seconds: (Date.now() - began) / 1_000,
    quick,
    node: process.version,
    tmux: tmuxVersion(),
    machine,
    rows: outcomes.flatMap(({ rows }) => rows),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  }
}

function keepResult(result) {
  mkdirSync(RESULTS, { recursive: true })
  const path = `${RESULTS}${result.when.replaceAll(':', '-')}.json`
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  return path
}

function report(result, path) {
  const { machine, node, tmux, seconds } = result
  const about = `Node ${node.slice(1)}, ${tmux ?? 'no tmux: install it to see the peer'}, ${machine.cores} × ${machine.cpu}, load ${machine.load.toFixed(1)}`
  const missed = result.rows.filter(({ isMet }) => isMet === false).length
  const lines = [
    renderTable(result.rows),
    '',
    `${about}; ${Math.round(seconds)} s.`,
    ...(machine.load > machine.cores * BUSY_LOAD ? ['The machine was busy with other work: take the figures with caution.'] : []),
    'Medians over rounds that alternate between both sides; spread: lowest and highest round, of many rounds the middle 80 %.',
    `${missed === 0 ? 'Every budget is met' : `${missed} budget${missed === 1 ? '' : 's'} missed`}. Kept as ${path}.`,
  ]
  console.log(lines.join('\n'))
}

// Ctrl-C, an error of our own, or whoever started us has had enough: nothing is left behind.
process.on('exit', closeAllLabsAtOnce)
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => process.exit(code))

const options = readArguments()
if (options.help) {
  console.log(`npm run bench -- [${FIGURES.join('] [')}] [--quick] [--json] [--strict]`)
  process.exit(0)
}
const result = await measureAll(options)
const path = keepResult(result)
if (options.json) console.log(JSON.stringify(result, null, 2))
else report(result, path)
for (const { figure, message } of result.failures) console.error(`${figure} could not be measured: ${message}`)
const isMissed = result.rows.some(({ isMet }) => isMet === false)
process.exit(result.failures.length > 0 || (options.strict && isMissed) ? 1 : 0)
