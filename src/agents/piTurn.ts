/** What the end of a transcript of pi says about its state. */
import type { Reading } from './agent.ts'
import { at, jsonLines, listAt, numberAt, shownWords, textAt, timeAt } from './decode.ts'
import { report } from './files.ts'
import type { StateReport } from './state.ts'

export function piTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail)
    .filter((row) => at(row, 'type') === 'message')
    .toReversed()
  const answer = newestFirst.find((row) => at(row, 'message', 'role') === 'assistant')
  return {
    state: newestFirst[0] === undefined ? null : stateAfter(newestFirst[0]),
    model: shownWords(textAt(answer, 'message', 'model')),
    title: null,
    tokens: numberAt(answer, 'message', 'usage', 'totalTokens'),
  }
}

/** pi asks nobody before it runs a tool, and tries again by itself after an error. */
const OVER = new Set<unknown>(['stop', 'length', 'aborted'])

function stateAfter(row: unknown): StateReport | null {
  const time = timeAt(row, 'timestamp')
  if (time === null) return null
  if (at(row, 'message', 'role') !== 'assistant' || !OVER.has(at(row, 'message', 'stopReason')))
    return report('transcript', 'working', time)
  const words = listAt(row, 'message', 'content').findLast((part) => at(part, 'type') === 'text')
  return report('transcript', 'idle', time, { words: shownWords(textAt(words, 'text')) })
}
