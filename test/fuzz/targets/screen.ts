/** Hostile output on a screen: see test/support/screen/fuzzer.ts for what is asked of it. */
import fc from 'fast-check'
import { feedOneScreen, judgeCase, minimise, printCase } from '../../support/screen/fuzzer.ts'
import { hostileCase } from '../../support/screen/hostile.ts'
import { createRandom } from '../../support/screen/random.ts'
import { agentRecordings, programRecordings } from '../../support/screen/recordings.ts'
import { Complaint, fuzzTarget } from '../target.ts'

export const screen = fuzzTarget({
  name: 'screen',
  what: 'The screen, given hostile output: it comes back from its snapshot wherever that was taken.',
  cases: 4, // a hundred more are in test/support/screen/fuzzer.test.ts
  input: fc.noBias(fc.noShrink(fc.record({ seed: fc.nat(999_999_999) }))), // a smaller seed is no smaller case
  open: async () => {
    const recordings = [...programRecordings(), ...agentRecordings()]
    const everything = await feedOneScreen(createRandom(1), recordings, { megabytes: 0.2 })
    return {
      judge: async ({ seed }) => {
        const hostile = hostileCase(createRandom(seed), recordings)
        const complaint = await judgeCase(hostile)
        if (complaint !== null) throw new Complaint(complaint.what)
        // One screen is given everything: what it holds must not depend on how much that was.
        for (const step of hostile.steps) if ('bytes' in step) await everything.feed(step.bytes)
      },
      minimal: async ({ seed }) => {
        const less = await minimise(hostileCase(createRandom(seed), recordings), (smaller) => judgeCase(smaller))
        return `seed ${seed} ${printCase(less)}`
      },
      close: async () => everything.dispose(),
    }
  },
})
