/** What the titles and screens of agents tell about how they do: the last resort, where nothing else does. */
import type { Agent } from './agent.ts'
import type { AgentState, StateReport } from './state.ts'

type Shown = NonNullable<Agent['shown']>

type Signs = {
  /** The first that fits the title counts. */
  readonly titles?: readonly (readonly [pattern: RegExp, state: AgentState])[]
  /** The first that fits a line of the lower half of the screen counts, after what asks and before titles. */
  readonly lines?: readonly (readonly [pattern: RegExp, state: AgentState])[]
  /** Lines that are all there while it asks for a permission. */
  readonly asks?: readonly RegExp[]
}

const LOWEST = 30 // lines: dialogs and spinners stand at the bottom, and above it is talk

export const shownBy =
  ({ titles = [], lines = [], asks = [] }: Signs): Shown =>
  ({ title, screen }) => {
    const bottom = trimmed(screen).slice(-LOWEST)
    if (asks.length > 0 && asks.every((pattern) => bottom.some((line) => pattern.test(line)))) return said('needs-you', 'permission')
    const byLine = lines.find(([pattern]) => bottom.some((line) => pattern.test(line)))
    const found = byLine ?? titles.find(([pattern]) => pattern.test(title))
    return found === undefined ? null : said(found[1], found[1] === 'needs-you' ? 'permission' : null)
  }

const said = (state: AgentState, wants: StateReport['wants']): Omit<StateReport, 'at'> => ({ source: 'screen', state, wants, words: null })

function trimmed(screen: readonly string[]): readonly string[] {
  const end = screen.findLastIndex((line) => line.trim() !== '')
  return screen.slice(0, end + 1)
}

/** Spinners that stand before a title. */
export const SPINNER = /^[◐◑◒◓⠀-⣿]/u
