import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFuzz } from '../../scripts/fuzzThread.mjs'
import { TARGETS } from '../fuzz/targets.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_240)
const TIMEOUT_MS = 180_000 // a case that never ends is noticed after one minute

let fuzz: Awaited<ReturnType<typeof openFuzz>>
beforeAll(async () => {
  fuzz = await openFuzz()
})
afterAll(() => fuzz.close())

for (const { name, cases } of TARGETS.filter(({ isReal }) => isReal === true)) {
  it(`${name} stays the same process and serves its other client, whatever is sent: ${cases} cases from seed ${SEED} on`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    // the story is random: one try
    const { failure } = await fuzz.run({ name, cases, seed: SEED })
    expect(failure === null ? '' : `seed ${failure.seed}: ${failure.what}\n${failure.minimal}`).toBe('')
  })
}
