/** A refusal as people read it. What was typed may stand in the sentence: it must neither command the terminal nor fill it. */
import type { Refusal } from '../base/refusal.ts'
import { safeText } from '../workspace/text.ts'

const LONGEST_SENTENCE = 400 // characters: a long path fits, a pasted file does not
const KEPT_END = 100 // what is wrong stands behind what was typed

export const refusalText = ({ message, hint }: Refusal): string => `holdfast: ${harmless(message)}${hint === '' ? '' : `\n  ${hint}`}`

function harmless(text: string): string {
  const characters = [...safeText(text, text.length)]
  if (characters.length <= LONGEST_SENTENCE) return characters.join('')
  return `${characters.slice(0, LONGEST_SENTENCE - KEPT_END).join('')}…${characters.slice(-KEPT_END).join('')}`
}
