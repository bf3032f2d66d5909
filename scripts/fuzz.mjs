#!/usr/bin/env node
/** Feeds screens with hostile output for a while: see test/support/screen/fuzzer.ts for what is asked of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { numberOption, ROOT } from './steps.mjs'
import { importTypeScript } from './typescript.mjs'

const HELP = `npm run fuzz -- [--seconds 60] [--seed N] [--cases N]
A seed that failed is tried again with: --seed N --cases 1`

const HANG_MS = 60_000 // a case is a few milliseconds of work
const MEMORY_SHARE = 0.2 // of the time goes into one screen that is given everything
const MEMORY_LIMIT_MB = 20 // less than it is given in a run of a minute

if (isMainThread) process.chdir(ROOT)
if (!isMainThread) await work(workerData)
else if (process.argv.includes('--help')) console.log(HELP)
else watch()

function numberOf(option, otherwise) {
  return numberOption(option, otherwise, Number.isSafeInteger)
}

/** The work is done in a thread, as something must still be running when a case never ends. */
function watch() {
  const cases = numberOf('--cases', 0)
  const order = { seconds: numberOf('--seconds', 60), seed: numberOf('--seed', Date.now() % 1_000_000_000), cases }
  console.log(`fuzz: ${cases > 0 ? `${cases} cases` : `${order.seconds} s`}, seed ${order.seed}`)
  const worker = new Worker(new URL(import.meta.url), { workerData: order })
  let current = order.seed
  let timer
  const wind = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      console.error(`fuzz: seed ${current} never ended; try it with --seed ${current} --cases 1`)
      process.exit(1)
    }, HANG_MS)
  }
  wind()
  worker.on('message', (message) => {
    wind()
    if (message.seed !== undefined) current = message.seed
    if (message.code !== undefined) process.exitCode = message.code
  })
  worker.on('exit', () => clearTimeout(timer))
}

async function work({ seconds, seed, cases }) {
  const { fuzz, printCase, feedOneScreen, createRandom, recordings } = (await importTypeScript('test/support/screen/fuzzing.ts')).fuzzing
  const end = performance.now() + seconds * 1000 * (1 - MEMORY_SHARE)
  const goesOn = (done) => (cases > 0 ? done < cases : performance.now() < end)
  let told = 0
  const begins = (own) => {
    parentPort.postMessage({ seed: own })
    if (performance.now() - told < 5_000) return
    told = performance.now()
    if (own > seed) console.log(`fuzz: ${own - seed} cases`)
  }
  const report = await fuzz({ seed, recordings, goesOn, begins })
  console.log(`fuzz: ${report.cases} cases, ${report.bytes} bytes`)
  if (report.failure !== null) return tellFailure(report.failure, printCase)
  if (cases === 0) await checkMemory({ random: createRandom(seed), recordings, feedOneScreen, seconds: seconds * MEMORY_SHARE })
  else parentPort.postMessage({ code: 0 })
}

function tellFailure({ seed, complaint, minimal }, printCase) {
  const folder = join(ROOT, 'test/artifacts')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `fuzz-${seed}.txt`)
  const text = `seed ${seed}: ${complaint.what}\n${printCase(minimal)}\n`
  writeFileSync(file, text)
  console.error(`fuzz: FAILED, ${text}\nkept in test/artifacts/fuzz-${seed}.txt`)
  parentPort.postMessage({ code: 1 })
}

/** A screen that has seen much must not hold more than one that has seen little. */
async function checkMemory({ random, recordings, feedOneScreen, seconds }) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const memoryMB = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage() // the cells are outside of the heap
    return (heapUsed + external) / 1e6
  }
  const before = memoryMB()
  const end = performance.now() + seconds * 1000
  let megabytes = 0
  let screen = null
  do {
    parentPort.postMessage({})
    megabytes += 2
    screen = await feedOneScreen(random, recordings, { megabytes: 2, screen })
  } while (performance.now() < end)
  const grown = memoryMB() - before
  screen.dispose()
  const ok = grown < MEMORY_LIMIT_MB
  console.log(
    `fuzz: ${ok ? '' : 'FAILED, '}a screen that was given ${megabytes} MB holds ${grown.toFixed(1)} MB, at most ${MEMORY_LIMIT_MB}`,
  )
  parentPort.postMessage({ code: ok ? 0 : 1 })
}
