/** A refusal for people. It may quote the user's input, so control characters are removed and the length is limited. */
import type { Refusal } from '../../base/refusal.ts'
import { safeText } from '../../workspace/text.ts'

const LONGEST_SENTENCE = 400 // characters: a long path fits, a pasted file does not
const KEPT_END = 100 // the reason comes after the quoted input

export const refusalText = ({ message, hint }: Refusal): string => `holdfast: ${harmless(message)}${hint === '' ? '' : `\n  ${hint}`}`

function harmless(text: string): string {
  const characters = [...safeText(text, text.length)]
  if (characters.length <= LONGEST_SENTENCE) return characters.join('')
  return `${characters.slice(0, LONGEST_SENTENCE - KEPT_END).join('')}…${characters.slice(-KEPT_END).join('')}`
}
