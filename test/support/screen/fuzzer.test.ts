import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { feedOneScreen, fuzz, printCase } from './fuzzer.ts'
import { createRandom } from './random.ts'
import { programRecordings } from './recordings.ts'

const recordings = programRecordings()
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_240)
const TIMEOUT_MS = 120_000
const CASES = 120

describe('hostile output', () => {
  it(
    `leaves screens that come back from their snapshots, ${CASES} cases from seed ${SEED} on`,
    async () => {
      const { cases, bytes, failure } = await fuzz({ seed: SEED, recordings, goesOn: (done) => done < CASES })
      console.log(`fuzzed ${cases} cases, ${bytes} bytes, from seed ${SEED} on`)
      expect(failure === null ? '' : `seed ${failure.seed}: ${failure.complaint.what}\n${printCase(failure.minimal)}`).toBe('')
    },
    TIMEOUT_MS,
  )

  it(
    'takes no memory without end',
    async () => {
      setFlagsFromString('--expose-gc')
      const collect = runInNewContext('gc') as () => void
      const memoryMB = async () => {
        collect()
        await new Promise(setImmediate) // what is outside of the heap is let go of after the collection
        collect()
        const { heapUsed, external } = process.memoryUsage() // the cells are outside of the heap
        return (heapUsed + external) / 1e6
      }
      const random = createRandom(SEED)
      const screen = await feedOneScreen(random, recordings, { megabytes: 3 }) // what the engine allocates once, and a full history
      const before = await memoryMB()
      await feedOneScreen(random, recordings, { megabytes: 12, screen })
      expect((await memoryMB()) - before).toBeLessThan(MEMORY_LIMIT_MB)
      screen.dispose()
    },
    TIMEOUT_MS,
  )
})

const MEMORY_LIMIT_MB = 6 // half of what it is given

describe('the fuzzer', () => {
  it(
    'finds a mistake, and says with how little it happens',
    async () => {
      const { failure } = await fuzz({
        seed: 1,
        recordings,
        goesOn: (done) => done < 50,
        spoil: (snapshot) =>
          snapshot.engine.cursorHidden ? { ...snapshot, engine: { ...snapshot.engine, cursorHidden: false } } : snapshot,
      })
      expect(failure?.complaint.what).toBe('restored: modes')
      const bytes = failure?.minimal.steps.flatMap((step) => ('bytes' in step ? [...step.bytes] : [])) ?? []
      expect(Buffer.from(bytes).toString()).toMatch(/^\x1b\[[?0-9;]*25(;\d*)*l$/)
      expect(printCase(failure!.minimal)).toContain("'\\x1b[?")
    },
    TIMEOUT_MS,
  )

  it('makes the same cases of the same seed', () => {
    const draw = () =>
      Array.from(
        { length: 20 },
        (
          (random) => () =>
            random.below(1_000_000)
        )(createRandom(7)),
      )
    expect(draw()).toEqual(draw())
  })
})
