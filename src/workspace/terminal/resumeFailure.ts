/**
 * When a resume has failed, and what is said about it. A program that is asked to go on and cannot (the conversation is
 * gone, the option is not known) says so and ends within seconds; a longer one has continued.
 */

import { MAX_REASON_LENGTH, safeText } from '../text.ts'
import type { ExitStatus, Live, Waking } from './terminal.ts'

export const PROVED_AFTER_MS = 10_000 // agents that do not find a conversation end within two seconds, on a busy machine within five

const MAX_WORDS_LENGTH = 300 // characters: a sentence with an id and a path in it

/** Whether the terminal would still go back to what it was before, if its program ended now. */
export const isOnTrial = ({ mode, since }: Pick<Waking | Live, 'mode' | 'since'>, at: number): boolean =>
  mode === 'resume' && at - since <= PROVED_AFTER_MS

type End = { readonly status: ExitStatus; readonly at: number }

export const failsToResume = (terminal: Waking | Live, { status, at }: End): boolean =>
  isOnTrial(terminal, at) && !('code' in status && status.code === 0)

export function wordsOfFailure({ since }: Waking | Live, { status, at }: End): string {
  const seconds = Math.max(0, Math.round((at - since) / 1_000))
  const how = 'code' in status ? `ended with code ${status.code}` : `was ended by ${safeText(status.signal, MAX_WORDS_LENGTH)}`
  return `it ${how} ${seconds === 0 ? 'at once' : `after ${seconds} s`}`
}

const SAYING = ' and said: '

/** Heard twice, they are said once. */
export function withLastWords(reason: string, words: string): string {
  const said = safeText(words, MAX_WORDS_LENGTH).trim()
  return said === '' || reason.includes(SAYING) ? reason : safeText(reason + SAYING + said, MAX_REASON_LENGTH)
}

/** The last line of a screen that says anything. */
export const lastWordsIn = (screen: string): string => screen.split('\n').findLast((line) => line.trim() !== '') ?? ''
