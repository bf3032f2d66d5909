/** Where the arguments of a start came from, best first; a `shell` is what is left of an agent that the user has quit. */
export const STARTED_FROM = ['conversation', 'latest', 'table', 'shell', 'original'] as const
export type StartedFrom = (typeof STARTED_FROM)[number]

/** Which one it is nobody can tell before: the last resort, and said to be. */
export const NEWEST_WORDS = 'the newest conversation of this directory'
