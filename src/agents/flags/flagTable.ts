/**
 * src/agents/flags: which flags each agent has and how many values they take. Written by `npm run agents:flags` from each agent's
 * `--help`; corrections stand in programs/. Nothing comes in.
 */

/** How many values a flag takes. `optional`: the next word, unless that begins with a dash. */
export type Takes = 'none' | 'one' | 'optional' | 'many'

/** Every spelling of a flag, with its dashes. */
export type FlagTable = Readonly<Record<string, Takes>>

/** The flags of each kind are separated by blanks. */
export function flagTable(flags: Partial<Readonly<Record<Takes, string>>>): FlagTable {
  const entries = Object.entries(flags).flatMap(([takes, text]) => wordsOf(text).map((flag) => [flag, takes]))
  return Object.fromEntries(entries)
}

export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')
