/** The conversation that an agent names when it leaves, read from the text of its screen. */
import type { Agent } from './agent.ts'

const MOST_TEXT = 65_536 // characters: last words, not a whole history

/** The last one counts: above it may stand what somebody has talked about. */
export function hintIn(agent: Pick<Agent, 'exitHint' | 'idPattern'>, screenText: string): string | null {
  if (agent.exitHint === null) return null
  const lines = screenText.slice(-MOST_TEXT).split('\n').map(withoutFrame)
  // Words are broken between lines where they can be, and in the middle of an id where a box is narrower than it.
  return lastIn(agent.exitHint, lines.join(' '), agent) ?? lastIn(agent.exitHint, joinedWithoutGaps(lines), agent)
}

const withoutFrame = (line: string): string => line.replace(/^[\s│┃║|]+/, '').replace(/[\s│┃║|]+$/, '')

/** Empty lines still part what stands above from what stands below. */
const joinedWithoutGaps = (lines: readonly string[]): string => lines.map((line) => (line === '' ? ' ' : line)).join('')

function lastIn(hint: RegExp, text: string, { idPattern }: Pick<Agent, 'idPattern'>): string | null {
  const found = [...text.replace(/\s+/g, ' ').matchAll(new RegExp(hint.source, `${hint.flags.replace('g', '')}g`))]
  const id = found.at(-1)?.[1]
  return id !== undefined && idPattern.test(id) ? id : null
}
