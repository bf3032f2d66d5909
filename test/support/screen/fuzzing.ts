/** What scripts/fuzz.mjs needs of the TypeScript here, in one place for its bundle. */
import { feedOneScreen, fuzz, printCase } from './fuzzer.ts'
import { createRandom } from './random.ts'
import { agentRecordings, programRecordings } from './recordings.ts'

export const fuzzing = { feedOneScreen, fuzz, printCase, createRandom, recordings: [...programRecordings(), ...agentRecordings()] }
