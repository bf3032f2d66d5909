/** What the end of a transcript of Qwen Code says about its state. */
import type { Reading } from './agent.ts'
import { at, jsonLines, listAt, numberAt, shownWords, textAt, timeAt } from './decode.ts'
import { report } from './files.ts'
import type { StateReport } from './state.ts'

export function qwenTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answer = newestFirst.find((row) => at(row, 'type') === 'assistant')
  return {
    state: newestFirst.reduce<StateReport | null>((found, row) => found ?? stateIn(row), null),
    model: shownWords(textAt(answer, 'model')),
    title: null,
    tokens: numberAt(answer, 'usageMetadata', 'totalTokenCount'),
  }
}

function stateIn(row: unknown): StateReport | null {
  const time = timeAt(row, 'timestamp')
  if (time === null) return null
  switch (at(row, 'type')) {
    case 'user':
    case 'tool_result':
      return report('transcript', 'working', time)
    case 'assistant': {
      const parts = listAt(row, 'message', 'parts')
      if (parts.some((part) => at(part, 'functionCall') !== undefined)) return report('transcript', 'working', time)
      const words = parts.findLast((part) => textAt(part, 'text') !== null)
      return report('transcript', 'idle', time, { words: shownWords(textAt(words, 'text')) })
    }
    default:
      return null
  }
}
