#!/usr/bin/env node
/**
 * Measures how exactly a screen comes back from its snapshot: feature by feature, and at every cut of recordings of real
 * programs, next to the stock serializer on the same streams with the same comparison.
 */
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import serialize from '@xterm/addon-serialize'
import { fidelityPage, fidelityText } from './fidelityTable.mjs'
import { ROOT } from './steps.mjs'
import { importTypeScript } from './typescript.mjs'

const HELP = `npm run fidelity -- [--quick | --stride N] [--agents N] [--json] [--write] [--only NAME]
--quick  every 997th cut instead of every one (--stride N: every Nth)
--agents every Nth cut of the recordings of agents, which are long
--json   the figures as JSON, and nothing else
--write  also writes docs/fidelity.md
--only   recordings whose name begins so
Exits with 1 when anything does not come back exactly.`

const STOCK = '@xterm/addon-serialize 0.14.0'
const COMPARED_STRIDE = 97 // bytes; the stock serializer is slow, and a prime stride meets every kind of cut
const QUICK_STRIDE = 997
const INSIDE = 7 // of the cuts inside a sequence, which share a snapshot, one in so many takes it anew

const options = {
  stride: process.argv.includes('--quick') ? QUICK_STRIDE : numberOf('--stride'),
  agents: numberOf('--agents'),
  json: process.argv.includes('--json'),
  write: process.argv.includes('--write'),
  only: argumentOf('--only') ?? '',
}
process.chdir(ROOT)
if (process.argv.includes('--help')) console.log(HELP)
else if (process.send === undefined) await measure()
else await work()

function argumentOf(option) {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}

function numberOf(option) {
  const value = Number(argumentOf(option) ?? 1)
  if (Number.isSafeInteger(value) && value > 0) return value
  console.error(`${option} takes a number from 1 on; see --help`)
  return process.exit(2)
}

async function load() {
  const { fidelity } = await importTypeScript('test/support/screen/fidelity.ts')
  const stock = fidelity.addonMethod(STOCK, () => new serialize.SerializeAddon())
  return { ...fidelity, methods: [fidelity.SNAPSHOT, fidelity.ANSI_OF_SNAPSHOT, stock] }
}

function chosen({ programRecordings, agentRecordings }) {
  const all = [...programRecordings(), ...agentRecordings().map((recording) => ({ ...recording, agent: true }))]
  return all.filter(({ name }) => name.startsWith(options.only))
}

function strideOf({ agent = false }) {
  return agent ? Math.max(options.stride, options.agents) : options.stride
}

async function measure() {
  const began = performance.now()
  const tools = await load()
  const features = await scoreFeatures(tools)
  const recordings = await scoreRecordings(chosen(tools))
  const agents = tools.agentRecordings().length
  const report = {
    methods: tools.methods.map(({ name }) => name),
    features,
    recordings,
    unmodelled: await tools.unmodelled(),
    agents,
    stride: options.stride,
    agentsStride: strideOf({ agent: true }),
    seconds: Math.round((performance.now() - began) / 1000),
  }
  console.log(options.json ? JSON.stringify(report, null, 2) : fidelityText(report))
  if (options.write) writeFileSync(join(ROOT, 'docs/fidelity.md'), fidelityPage(report))
  const wrong = features.some(({ exact }) => !exact[0]) || recordings.some((recording) => recording.wrong.length > 0)
  process.exitCode = wrong ? 1 : 0
}

async function scoreFeatures({ FEATURES, methods, scoreFeature }) {
  const rows = []
  for (const [name, output] of Object.entries(FEATURES)) {
    const scores = []
    for (const method of methods) scores.push(await scoreFeature(method, output))
    rows.push({ name, exact: scores.map(({ exact }) => exact), picture: scores.map(({ picture }) => picture) })
  }
  return rows
}

/** One process per core; each takes the next recording when it is done with one, the longest first. */
async function scoreRecordings(recordings) {
  const queue = recordings.map(({ name, bytes }) => ({ name, size: bytes.length })).sort((a, b) => b.size - a.size)
  const total = queue.reduce((sum, { size }) => sum + size, 0)
  const results = new Map()
  const at = new Map()
  const say = () => {
    const done = [...at.values()].reduce((sum, bytes) => sum + bytes, 0)
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r\x1b[K${((100 * done) / total).toFixed(1)} % of ${total} cuts, ${results.size} of ${recordings.length} recordings`,
      )
  }
  const drive = () =>
    new Promise((resolve, reject) => {
      const child = fork(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      const next = () => child.send(queue.shift()?.name ?? null)
      child.on('message', (message) => {
        if (message.progress !== undefined) at.set(message.name, message.progress)
        else if (message.name !== undefined) {
          results.set(message.name, message)
          if (!options.json && !process.stderr.isTTY) console.error(`${message.name}: ${message.cuts} cuts, ${message.wrong.length} wrong`)
        }
        say()
        if (message.progress === undefined) next()
      })
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
    })
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), recordings.length) }, drive))
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return recordings.map(({ name }) => results.get(name))
}

async function work() {
  const tools = await load()
  const byName = new Map(chosen(tools).map((recording) => [recording.name, recording]))
  process.on('message', (name) => {
    if (name === null) process.disconnect()
    else void scoreOne(tools, byName.get(name)).then((result) => process.send(result))
  })
  process.send({})
}

async function scoreOne({ methods, checkCuts, scoreRecording }, recording) {
  let said = 0
  const progress = (at) => {
    if (at - said < 500 && at !== recording.bytes.length) return
    said = at
    process.send({ name: recording.name, progress: at })
  }
  const stride = strideOf(recording)
  const { cuts, screens, playedToTheEnd, wrong } = await checkCuts(recording, { stride, inside: INSIDE, progress })
  const compared = await scoreRecording(recording, methods, { stride: Math.max(stride, COMPARED_STRIDE) })
  return {
    name: recording.name,
    bytes: recording.bytes.length,
    cuts,
    screens,
    playedToTheEnd,
    wrong,
    compared: compared.screens,
    scores: compared.scores,
  }
}
