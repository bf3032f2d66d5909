import { commandText } from '../commandText.ts'
import { redactArgv } from '../redact.ts'
import { safeText } from '../text.ts'
import type { Wrapper } from './wrapper.ts'

const LONGEST_TEXT = 1_000 // characters: more than is read

/** A command line to be read, without secrets. */
export function lineText(argv: readonly string[]): string {
  const [command = '', ...args] = redactArgv(argv.filter((word, at) => at === 0 || word !== ''))
  return safeText(args.length === 0 ? command : commandText(command, args), LONGEST_TEXT)
}

export const unsureOf =
  (argv: readonly string[]) =>
  (why: string): Wrapper => ({ kind: 'unsure', ran: lineText(argv), why })
