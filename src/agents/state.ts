/** What an agent is doing. Unknown means that no source could tell. */
export const AGENT_STATES = ['working', 'needs-you', 'done', 'idle', 'unknown'] as const
export type AgentState = (typeof AGENT_STATES)[number]

/** Whether the agent has nothing under way. An agent whose state is unknown may be working: it is never taken to be at rest. */
export type AtRest = 'done' | 'idle'
export const isAtRest = (state: AgentState): state is AtRest => state === 'done' || state === 'idle'

/** The sources of a state, the most reliable first. */
export const STATE_SOURCES = ['protocol', 'hook', 'registration', 'transcript', 'screen'] as const
export type StateSource = (typeof STATE_SOURCES)[number]

export type StateReport = {
  readonly source: StateSource
  readonly state: AgentState
  /** What it wants from the user. */
  readonly wants: 'permission' | 'question' | null
  /** Its last words, or what it asks; null where it does not say. */
  readonly words: string | null
  /** In ms. */
  readonly at: number
}

/** What is shown of an agent. */
export type AgentSummary = {
  readonly state: AgentState
  readonly wants: 'permission' | 'question' | null
  /** Since when it has been in this state, in ms. */
  readonly since: number
  readonly words: string | null
  readonly model: string | null
  readonly title: string | null
  readonly tokens: number | null
}
