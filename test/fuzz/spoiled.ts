/** Targets with faults, for the test of the fuzzer. */
import fc from 'fast-check'
import { BATCH, caseAt, runTarget } from './run.ts'
import { fuzzTarget } from './target.ts'

const kept: Uint8Array[] = []
const judged = (name: string, judge: (value: number) => void) =>
  fuzzTarget({ name, what: '', cases: 400, input: fc.nat(1_000_000), open: () => ({ judge }) })

const TARGETS = [
  judged('mistaken', (value) => {
    if (value > 77) throw new Error('too many')
  }),
  judged('endless', (value) => {
    while (value > 77);
  }),
  judged('hoarding', () => {
    kept.push(new Uint8Array(1 << 20))
  }),
  judged('greedy', (value) => {
    for (let list: unknown[] = []; value > 77; list = [list, new Array(1_000).fill(value)]);
  }),
]

export const fuzzing = { BATCH, caseAt, runTarget, TARGETS }
