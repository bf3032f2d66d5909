import type { AgentBench } from '../agentBench.ts'
import type { Habits } from '../agentHabits.ts'
import type { AgentTerminal, HowStarted } from '../agentTerminal.ts'
import type { AgentName } from '../installAgents.ts'

/** One agent in one story, with a Holdfast of its own. */
export type Cell = {
  readonly agent: AgentName
  readonly habits: Habits
  readonly bench: AgentBench
  /** Starts the agent with what it always needs, and these words behind it. */
  start(how: HowStarted): Promise<AgentTerminal>
  /** For the table: what the cell shows beside that it passed. */
  note(text: string): void
}

export const STORY_IDS = [
  'sleep',
  'crash',
  'daemon',
  'silent',
  'together',
  'quit',
  'new',
  'compacted',
  'moved',
  'wrapper',
  'flags',
  'states',
  'fails',
  'deleted',
  'updated',
] as const
export type StoryId = (typeof STORY_IDS)[number]

export type Story = { readonly title: string; readonly run: (cell: Cell) => Promise<void> }
