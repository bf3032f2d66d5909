import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFuzz } from '../../scripts/fuzzThread.mjs'
import { TARGETS } from './targets.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_240)
const TIMEOUT_MS = 180_000 // a case that never ends is noticed after one minute

/** Those that start real processes are in test/e2e/fuzz.test.ts. */
describe('bytes that were made to hurt', () => {
  let fuzz: Awaited<ReturnType<typeof openFuzz>>
  beforeAll(async () => {
    fuzz = await openFuzz()
  })
  afterAll(() => fuzz.close())

  for (const { name, cases } of TARGETS.filter(({ isReal }) => isReal !== true)) {
    it(
      `neither break, hang nor swell ${name}: ${cases} cases from seed ${SEED} on`,
      async () => {
        const { failure } = await fuzz.run({ name, cases, seed: SEED })
        expect(failure === null ? '' : `seed ${failure.seed}: ${failure.what}\n${failure.minimal}`).toBe('')
      },
      TIMEOUT_MS,
    )
  }
})

describe('the fuzzer', () => {
  const run = async (name: string, bounds: { readonly hangMs?: number; readonly memoryMB?: number } = {}) => {
    const fuzz = await openFuzz('test/fuzz/spoiled.ts')
    try {
      return await fuzz.run({ name, seed: 1, cases: 400, ...bounds })
    } finally {
      fuzz.close()
    }
  }

  it('finds a mistake, and says with how little it happens', async () => {
    const { failure } = await run('mistaken')
    expect(failure).toMatchObject({ what: expect.stringContaining('too many'), minimal: '78' })
  })

  it('repeats a failure by its seed', async () => {
    expect((await run('mistaken')).failure).toEqual((await run('mistaken')).failure)
  })

  it('notices a case that never ends, and names it', async () => {
    const { failure } = await run('endless', { hangMs: 1_000 })
    expect(failure?.what).toMatch(/never ended/)
    expect(Number(failure?.minimal)).toBeGreaterThan(77)
  })

  it('notices memory that is left behind', async () => {
    expect((await run('hoarding')).failure?.what).toMatch(/^memory grew by \d+/)
  })

  it('survives a case that eats all memory, and names it', async () => {
    const { failure } = await run('greedy', { memoryMB: 64 })
    expect(failure?.what).toMatch(/memory/i)
    expect(Number(failure?.minimal)).toBeGreaterThan(77)
  })
})
