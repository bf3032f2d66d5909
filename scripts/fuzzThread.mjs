/** Runs a fuzz target in a thread of its own: something must still be running when a case never ends or eats all memory. */
import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { bundleTypeScript } from './typescript.mjs'

const HANG_MS = 60_000 // a case is some milliseconds of work, also on a busy machine
const SHRINK_MS = 900_000 // to make a failing case smaller
const MEMORY_MB = 768 // of the thread's heap; what needs more for inputs of a few kilobytes grows without end

if (!isMainThread && workerData?.fuzz !== undefined) await work(workerData.fuzz)

/** The targets, ready to be run; `close` removes the bundle. */
export async function openFuzz(path = 'test/fuzz/index.ts') {
  const file = await bundleTypeScript(path)
  const { TARGETS, BATCH, caseAt } = (await import(pathToFileURL(file).href)).fuzzing
  return {
    targets: TARGETS,
    batch: BATCH,
    /** `progress` is told of each case. */
    run: ({ name, progress = () => undefined, ...order }) => watch({ ...order, file, name }, progress, caseAt, TARGETS),
    close: () => rmSync(file, { force: true }),
  }
}

function watch(order, progress, caseAt, targets) {
  const target = targets.find(({ name }) => name === order.name)
  let place = { seed: order.seed, index: 0, isFirst: true }
  let cases = 0
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { fuzz: order },
      resourceLimits: { maxOldGenerationSizeMb: order.memoryMB ?? MEMORY_MB },
    })
    let isOver = false
    const finish = (report) => {
      if (isOver) return
      isOver = true // ending the thread is told, too
      clearTimeout(timer)
      void worker.terminate().then(() => resolve(report))
    }
    const failed = (what) => finish({ cases, known: 0, grownMB: 0, failure: { seed: place.seed, what, minimal: caseAt(target, place) } })
    const rewind = (ms = order.hangMs ?? HANG_MS) => setTimeout(() => failed(`case ${place.index} never ended`), ms)
    let timer = rewind()
    worker.on('message', (message) => {
      if (isOver) return
      clearTimeout(timer)
      if (message.report !== undefined) return finish(message.report)
      if (message.isShrinking === true) {
        timer = rewind(SHRINK_MS)
        return
      }
      timer = rewind()
      place = message.place
      progress(++cases)
    })
    worker.on('error', (error) => failed(error.stack ?? String(error)))
    worker.on('exit', (code) => code !== 0 && failed(`the thread ended with ${code}`))
  })
}

async function work({ file, name, seed, cases, seconds }) {
  const { TARGETS, runTarget } = (await import(pathToFileURL(file).href)).fuzzing
  const target = TARGETS.find((one) => one.name === name)
  const end = performance.now() + (seconds ?? 0) * 1_000
  const goesOn = () => seconds === undefined || performance.now() < end
  const begins = (place) => parentPort.postMessage({ place })
  const fails = () => parentPort.postMessage({ isShrinking: true })
  const report = await runTarget(target, { seed, cases: cases ?? Number.MAX_SAFE_INTEGER, goesOn, begins, fails })
  parentPort.postMessage({ report })
}
