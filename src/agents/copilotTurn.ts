/** What the end of a transcript of GitHub Copilot CLI says about its state. */
import type { Reading } from './agent.ts'
import { at, jsonLines, listAt, numberAt, shownWords, sumAt, textAt, timeAt } from './decode.ts'
import { report } from './files.ts'
import type { StateReport } from './state.ts'

export function copilotTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answered = new Set(newestFirst.flatMap((event) => (isCompleted(event) ? [textAt(event, 'data', 'requestId')] : [])))
  const answer = newestFirst.find((event) => at(event, 'type') === 'assistant.message')
  const usage = newestFirst.find((event) => at(event, 'type') === 'session.usage_record')
  return {
    state: newestFirst.reduce<StateReport | null>((found, event) => found ?? stateIn(event, answer, answered), null),
    model: shownWords(textAt(answer, 'data', 'model')),
    title: null,
    tokens: numberAt(usage, 'data', 'usage', 'totalTokens') ?? sumAt(at(usage, 'data', 'usage'), ['inputTokens', 'outputTokens']),
  }
}

const typeOf = (event: unknown): string => textAt(event, 'type') ?? ''
const isCompleted = (event: unknown): boolean => /\.completed$/.test(typeOf(event))

/** Null for events that say nothing about whose turn it is, such as those of hooks. */
function stateIn(event: unknown, answer: unknown, answered: ReadonlySet<string | null>): StateReport | null {
  const time = timeAt(event, 'timestamp')
  if (time === null) return null
  const type = typeOf(event)
  if (/\.requested$/.test(type)) return answered.has(textAt(event, 'data', 'requestId')) ? null : asked(event, type, time)
  switch (type) {
    case 'user.message':
    case 'assistant.turn_start':
    case 'assistant.message':
    case 'tool.execution_start':
    case 'tool.execution_complete':
    case 'permission.completed':
      return report('transcript', 'working', time)
    case 'assistant.turn_end':
      return afterTurn(answer, time)
    case 'abort':
    case 'session.error':
    case 'session.shutdown':
    case 'session.resume':
      return report('transcript', 'idle', time)
    default:
      return null
  }
}

/** After a turn that asked for tools comes the next one. */
function afterTurn(answer: unknown, time: number): StateReport {
  if (listAt(answer, 'data', 'toolRequests').length > 0) return report('transcript', 'working', time)
  return report('transcript', 'idle', time, { words: shownWords(textAt(answer, 'data', 'content')) })
}

function asked(event: unknown, type: string, time: number): StateReport {
  const isPermission = type === 'permission.requested'
  const request = at(event, 'data', 'permissionRequest')
  const words = isPermission ? (textAt(request, 'fullCommandText') ?? textAt(request, 'intention')) : textAt(event, 'data', 'question')
  return report('transcript', 'needs-you', time, { wants: isPermission ? 'permission' : 'question', words: shownWords(words) })
}
