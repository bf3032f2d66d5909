/**
 * Where the arguments of a start came from, best first. `new` is the agent with the user's flags, for a new conversation; a
 * `shell` is what is left of an agent that the user has quit.
 */
export const STARTED_FROM = ['conversation', 'table', 'new', 'shell', 'original'] as const
export type StartedFrom = (typeof STARTED_FROM)[number]
