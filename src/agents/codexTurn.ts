/** What the end of a transcript of Codex says about how it does. */
import type { Reading } from './agent.ts'
import { at, jsonLines, numberAt, parseJson, shownWords, textAt, timeAt } from './decode.ts'
import { report } from './files.ts'
import type { StateReport } from './state.ts'

export function codexTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answered = new Set(newestFirst.flatMap((row) => answeredCall(row) ?? []))
  const state = newestFirst.reduce<StateReport | null>((found, row) => found ?? stateIn(row, answered), null)
  const count = newestFirst.find((row) => at(row, 'payload', 'type') === 'token_count')
  const context = newestFirst.find((row) => at(row, 'type') === 'turn_context')
  return {
    state,
    model: shownWords(textAt(context, 'payload', 'model')),
    title: null,
    tokens: numberAt(count, 'payload', 'info', 'last_token_usage', 'total_tokens'),
  }
}

const answeredCall = (row: unknown): string | null =>
  /_call_output$/.test(textAt(row, 'payload', 'type') ?? '') ? textAt(row, 'payload', 'call_id') : null

const QUESTIONS = new Set(['request_user_input'])
const PERMISSIONS = new Set(['request_permissions', 'exec_approval_request', 'apply_patch_approval_request'])

function stateIn(row: unknown, answered: ReadonlySet<string>): StateReport | null {
  const time = timeAt(row, 'timestamp')
  const type = textAt(row, 'payload', 'type') ?? ''
  if (time === null) return null
  const name = type === 'function_call' ? (textAt(row, 'payload', 'name') ?? '') : type
  if (QUESTIONS.has(name) || PERMISSIONS.has(name)) return asked(row, { name, time, answered })
  switch (type) {
    case 'task_complete':
    case 'turn_complete':
      return report('transcript', 'idle', time, { words: shownWords(textAt(row, 'payload', 'last_agent_message')) })
    case 'turn_aborted':
      return report('transcript', 'idle', time)
    case 'task_started':
    case 'turn_started':
    case 'function_call_output':
      return report('transcript', 'working', time)
    default:
      return null
  }
}

type Asked = { readonly name: string; readonly time: number; readonly answered: ReadonlySet<string> }

function asked(row: unknown, { name, time, answered }: Asked): StateReport {
  if (answered.has(textAt(row, 'payload', 'call_id') ?? '')) return report('transcript', 'working', time)
  const input = parseJson(textAt(row, 'payload', 'arguments'))
  const words = shownWords(textAt(input, 'question') ?? textAt(input, 'prompt') ?? textAt(row, 'payload', 'reason'))
  return report('transcript', 'needs-you', time, { wants: QUESTIONS.has(name) ? 'question' : 'permission', words })
}
