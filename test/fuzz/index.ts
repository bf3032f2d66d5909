/** What scripts/fuzzThread.mjs needs of the TypeScript here, in one place for its bundle. */
import { BATCH, caseAt, runTarget } from './run.ts'
import { TARGETS } from './targets.ts'

export const fuzzing = { BATCH, caseAt, runTarget, TARGETS }
