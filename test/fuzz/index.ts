/** What scripts/fuzzThread.mjs needs of the TypeScript here, in one place for its bundle. */
export { BATCH, caseAt, runTarget } from './run.ts'
export { TARGETS } from './targets.ts'
