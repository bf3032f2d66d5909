/**
 * What the title and the screen of an agent show about its state. Whatever a program prints stands on the screen too, so that
 * words alone show nothing: a question counts only where the agent draws its own, in place of the prompt, and a spinner only
 * beside the prompt.
 */
import type { Agent } from './agent.ts'
import { shownWords } from './decode.ts'
import type { AgentState, StateReport } from './state.ts'

type Shown = NonNullable<Agent['shown']>

export type Signs = {
  /** The first pattern that the title matches counts. Agents write titles themselves; what they print does not reach it. */
  readonly titles?: readonly (readonly [pattern: RegExp, state: AgentState])[]
  /** A line that is there while the agent takes a prompt, at work or not, and not while it asks. The lowest such line counts. */
  readonly prompt: RegExp
  /** A request for permission: the line that asks, and the choice that the cursor is on. Both are below the lowest prompt. */
  readonly asks?: { readonly question: RegExp; readonly choice: RegExp }
  /** A line that is there only while the agent works. */
  readonly busy?: RegExp
  /** How many lines above the prompt that line may be: 0 if it is always below. */
  readonly busyAbove?: number
  /** A line that is there while the agent is at rest; left out: the prompt alone shows that. */
  readonly rests?: RegExp
}

const LOWEST = 60 // lines: a question with a long command is this high at most
const BELOW_CHOICE = 12 // lines: other choices, a hint and a footer

export const shownBy =
  (signs: Signs): Shown =>
  ({ title, screen }) => {
    const lines = writtenLines(screen)
    const prompt = lines.findLastIndex((line) => signs.prompt.test(line))
    const question = questionIn(lines.slice(prompt + 1), signs)
    if (question !== null) return said('needs-you', 'permission', question)
    const titled = signs.titles?.find(([pattern]) => pattern.test(title))
    if (titled !== undefined) return said(titled[1], titled[1] === 'needs-you' ? 'permission' : null)
    if (prompt === -1) return null
    const beside = lines.slice(Math.max(0, prompt - (signs.busyAbove ?? 0)))
    if (signs.busy !== undefined && beside.some((line) => signs.busy?.test(line))) return said('working')
    return signs.rests === undefined || beside.some((line) => signs.rests?.test(line)) ? said('idle') : null
  }

/** The lowest lines that are not blank. */
export const writtenLines = (screen: readonly string[]): readonly string[] =>
  screen
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-LOWEST)

/** What it asks, from the first line that does to the choices; null where it asks nothing. */
function questionIn(lines: readonly string[], { asks }: Signs): string | null {
  if (asks === undefined) return null
  const choice = lines.findLastIndex((line) => asks.choice.test(line))
  const question = lines.slice(0, Math.max(0, choice)).findIndex((line) => asks.question.test(line))
  if (question === -1 || lines.length - choice > BELOW_CHOICE) return null
  const text = lines.slice(question, choice).join(' ')
  return shownWords(text.replace(FRAMES, ' ').replace(/^\s*[?△]/, '')) ?? ''
}

/** Lines and blocks with which agents frame their questions. */
const FRAMES = /[\u2500-\u259f]+/gu

export const said = (state: AgentState, wants: StateReport['wants'] = null, words: string | null = null): Omit<StateReport, 'at'> => ({
  source: 'screen',
  state,
  wants,
  words,
})

/** Spinners that stand before a title or a line. */
export const SPINNER = /^\s*[◐◑◒◓⠀-⣿]/u

/** The conversation that an agent names when it leaves, read from the text of its screen. */

const MOST_TEXT = 65_536 // characters: last words, not a whole history

/** The last one counts: an id further up may come from the conversation itself. */
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
