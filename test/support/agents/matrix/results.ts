import type { AgentName } from '../installAgents.ts'
import type { StoryId } from './cell.ts'

/** What one cell of the matrix gave. */
export type CellResult = {
  readonly agent: AgentName
  readonly story: StoryId
  readonly version: string
  readonly result: 'pass' | 'impossible' | 'fail' | 'skipped'
  /** Why it is impossible or failed, or what else there is to know. */
  readonly note: string
  readonly seconds: number
}
