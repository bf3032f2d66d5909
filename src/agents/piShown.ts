/** What the screen of pi shows about its state: what the user types, or is asked, stands between the two lowest rules. */
import type { Agent } from './agent.ts'
import { shownWords } from './decode.ts'
import { said, writtenLines } from './shown.ts'

const RULE = /^─{10,}/
const FOOTER = /\d%\/\d+/
const CHOICE = /^\s*→ \S/
const HINT = /^\s*↑↓ navigate\b.*\benter select\b/
const SPINNER = /^ [⠀-⣿] \S/u
const LOWEST_FOOTERS = 4 // lines

export const piShown: NonNullable<Agent['shown']> = ({ screen }) => {
  const lines = writtenLines(screen)
  const bottom = lines.findLastIndex((line) => RULE.test(line))
  const top = lines.slice(0, Math.max(0, bottom)).findLastIndex((line) => RULE.test(line))
  const footer = lines.slice(bottom + 1)
  if (top === -1 || footer.length > LOWEST_FOOTERS || !footer.some((line) => FOOTER.test(line))) return null
  const inside = lines.slice(top + 1, bottom)
  const choice = inside.findIndex((line) => CHOICE.test(line))
  if (choice > 0 && HINT.test(inside.at(-1) ?? '')) return said('needs-you', 'question', shownWords(inside.slice(0, choice).join(' ')))
  return said(SPINNER.test(lines[top - 1] ?? '') ? 'working' : 'idle')
}
