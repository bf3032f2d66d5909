/** What scripts/fidelity.mjs needs of the TypeScript here, in one place for its bundle. */
import { checkCuts } from './everyCut.ts'
import { FEATURES } from './features.ts'
import { agentRecordings, programRecordings } from './recordings.ts'
import { ANSI_OF_SNAPSHOT, addonMethod, SNAPSHOT, scoreFeature, scoreRecording, unmodelled } from './score.ts'

export const fidelity = {
  checkCuts,
  FEATURES,
  agentRecordings,
  programRecordings,
  ANSI_OF_SNAPSHOT,
  addonMethod,
  SNAPSHOT,
  scoreFeature,
  scoreRecording,
  unmodelled,
}
