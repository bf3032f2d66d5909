/**
 * src/workspace/command: command lines and shells. How a command is shown (this file), which command is a shell at its prompt
 * (plainShell.ts), and how an agent is started by the user's login shell (loginShell.ts).
 */
import { isSafeText } from '../text.ts'

/** Quoted where a shell would need it, so that it can be copied. Only to be read: nothing is ever started from it. */
export const commandText = (command: string, args: readonly string[]): string => [command, ...args].map(quoted).join(' ')

export const argumentsText = (args: readonly string[]): string => args.map(quoted).join(' ')

const quoted = (word: string): string => {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word
  return isSafeText(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `$'${escaped(word)}'`
}

/** What would command a terminal, break a line or turn its direction is spelled out, as bash writes it. */
const escaped = (word: string): string =>
  [...word.replace(/[\\']/g, '\\$&')].map((character) => (isSafeText(character) ? character : codeOf(character))).join('')

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\x1b': '\\e' }

const codeOf = (character: string): string => NAMED[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
