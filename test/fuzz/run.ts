/** Runs one target: cases of fast-check in batches, each with a seed of its own, so that a failure is repeated by its seed. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { isKnown } from './known.ts'
import type { FuzzTarget, Opened } from './target.ts'

export type FuzzOrder = {
  readonly seed: number
  /** Asked before each batch. */
  readonly goesOn: (cases: number) => boolean
  /** At most this many in all. */
  readonly cases: number
  /** Told before each case, so that a watcher can name the one that never ends. */
  readonly begins?: (place: CasePlace) => void
  /** Told when a case has failed: it is made smaller now, which takes its time. */
  readonly fails?: () => void
}

/** Only the first batch begins with the examples. */
export type CasePlace = { readonly seed: number; readonly index: number; readonly isFirst: boolean }

export type FuzzReport = {
  readonly cases: number
  /** Cases that failed in a way that is listed in known.ts. */
  readonly known: number
  readonly grownMB: number
  readonly failure: { readonly seed: number; readonly what: string; readonly minimal: string } | null
}

export const BATCH = 200
const WARM_UP = 0.25 // of the cases, in the first batch at most, before memory is measured for the first time
const GROWTH_LIMIT_MB = 48 // caches and compiled code stay below; one kilobyte left behind per case of a long run does not
const GROWTH_LIMIT_OF_REAL_MB = 120 // of another process, which is not made to collect its garbage
const MOST_SHRINKS = 1_500
const MOST_SHRINKS_OF_REAL = 60 // each may start a process anew

export async function runTarget(target: FuzzTarget, order: FuzzOrder): Promise<FuzzReport> {
  let opened = await target.open()
  let [cases, known, shrinks] = [0, 0, 0]
  let isFailing = false
  const judge = async (input: unknown): Promise<void> => {
    if (isFailing && ++shrinks > (target.isReal === true ? MOST_SHRINKS_OF_REAL : MOST_SHRINKS)) return
    try {
      await opened.judge(input)
    } catch (error) {
      if (isKnown(target.name, error)) return void known++
      if (!isFailing) order.fails?.()
      isFailing = true
      if (target.isReal === true) opened = await reopened(target, opened)
      throw error
    }
  }
  let before: number | null = null
  try {
    for (let batch = 0; cases < order.cases && order.goesOn(cases); batch++) {
      const seed = order.seed + batch
      let index = 0
      const property = fc.asyncProperty(target.input, async (input) => {
        if (!isFailing) order.begins?.({ seed, index: index++, isFirst: batch === 0 })
        await judge(input)
      })
      const most = batch === 0 ? Math.ceil(order.cases * WARM_UP) : order.cases - cases
      const found = await fc.check(property, { seed, numRuns: Math.min(BATCH, most), examples: examplesOf(target, batch === 0) })
      cases += found.numRuns
      if (found.failed) return { cases, known, grownMB: 0, failure: await failureOf(seed, found, opened) }
      before ??= await memoryOf(opened)
    }
    const grownMB = before === null ? 0 : ((await memoryOf(opened)) - before) / 1e6
    const limitMB = target.isReal === true ? GROWTH_LIMIT_OF_REAL_MB : GROWTH_LIMIT_MB
    const what = `memory grew by ${grownMB.toFixed(1)} MB, at most ${limitMB} are allowed`
    const failure = grownMB > limitMB ? { seed: order.seed, what, minimal: `all ${cases} cases` } : null
    return { cases, known, grownMB, failure }
  } finally {
    await opened.close?.()
  }
}

/** The case that a watcher was told of last. */
export function caseAt(target: FuzzTarget, { seed, index, isFirst }: CasePlace): string {
  const property = fc.property(target.input, () => undefined)
  const [found] = fc.sample(property, { seed, numRuns: index + 1, examples: examplesOf(target, isFirst) })[index] ?? []
  return fc.stringify(found)
}

const examplesOf = ({ examples = [] }: FuzzTarget, isFirst: boolean): [unknown][] => (isFirst ? examples.map((input) => [input]) : [])

async function reopened(target: FuzzTarget, opened: Opened<unknown>): Promise<Opened<unknown>> {
  await opened.close?.()
  return target.open()
}

async function failureOf(seed: number, found: fc.RunDetails<[unknown]>, opened: Opened<unknown>): Promise<FuzzReport['failure']> {
  const error = found.errorInstance
  const input = found.counterexample?.[0]
  return {
    seed,
    what: error instanceof Error ? (error.stack ?? error.message) : String(error),
    minimal: (await opened.minimal?.(input)) ?? fc.stringify(input),
  }
}

let collect: (() => void) | null = null

async function memoryOf(opened: Opened<unknown>): Promise<number> {
  if (opened.memoryBytes !== undefined) return opened.memoryBytes()
  setFlagsFromString('--expose-gc')
  collect ??= runInNewContext('gc') as () => void
  collect()
  await new Promise((resolve) => setImmediate(resolve)) // what is finalised then is let go by the next one
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
