/** What the end of a transcript of Claude Code says about how it does. */
import type { Reading } from './agent.ts'
import { at, jsonLines, listAt, shownWords, sumAt, textAt, timeAt } from './decode.ts'
import { report } from './files.ts'
import type { StateReport } from './state.ts'

export function claudeTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail)
    .filter((entry) => at(entry, 'isSidechain') !== true)
    .toReversed()
  const answer = newestFirst.find((entry) => at(entry, 'type') === 'assistant' && textAt(entry, 'message', 'model') !== '<synthetic>')
  const state = newestFirst.reduce<StateReport | null>((found, entry) => found ?? stateIn(entry), null)
  return {
    state,
    model: shownWords(textAt(answer, 'message', 'model')),
    title: titleIn(newestFirst),
    tokens: sumAt(at(answer, 'message', 'usage'), USAGE),
  }
}

const USAGE = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']

const TITLES = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' } as const

/** What the user has called it before what it calls itself. */
function titleIn(newestFirst: readonly unknown[]): string | null {
  for (const [type, key] of Object.entries(TITLES)) {
    const title = shownWords(
      textAt(
        newestFirst.find((entry) => at(entry, 'type') === type),
        key,
      ),
    )
    if (title !== null) return title
  }
  return null
}

/** Null for entries that say nothing about whose turn it is. */
function stateIn(entry: unknown): StateReport | null {
  const time = timeAt(entry, 'timestamp')
  if (time === null || at(entry, 'isMeta') === true || at(entry, 'isCompactSummary') === true) return null
  switch (at(entry, 'type')) {
    case 'assistant':
      return afterAnswer(entry, time)
    case 'user':
      return afterUser(entry, time)
    default:
      return null
  }
}

const QUESTIONS = new Set<unknown>(['AskUserQuestion', 'ExitPlanMode'])

function afterAnswer(entry: unknown, time: number): StateReport {
  const content = listAt(entry, 'message', 'content')
  const tools = content.filter((part) => at(part, 'type') === 'tool_use')
  const words = shownWords(textsOf(content))
  if (tools.length > 0 && tools.every((tool) => QUESTIONS.has(at(tool, 'name'))))
    return report('transcript', 'needs-you', time, { wants: 'question', words: questionOf(tools[0]) ?? words })
  const isFinished = tools.length === 0 && ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'].includes(stopReason(entry))
  return isFinished ? report('transcript', 'idle', time, { words }) : report('transcript', 'working', time)
}

const stopReason = (entry: unknown): string => textAt(entry, 'message', 'stop_reason') ?? ''

const questionOf = (tool: unknown): string | null => shownWords(textAt(listAt(tool, 'input', 'questions')[0], 'question'))

/** Commands of its own, and what they print, are no turn. */
const LOCAL = /^\s*<(?:command-|local-command-|bash-|system-reminder|user-memory-)/

function afterUser(entry: unknown, time: number): StateReport | null {
  const content = at(entry, 'message', 'content')
  const said = typeof content === 'string' ? content : (textsOf(listAt(entry, 'message', 'content')) ?? '')
  if (said.startsWith('[Request interrupted by user')) return report('transcript', 'idle', time)
  return LOCAL.test(said) ? null : report('transcript', 'working', time)
}

function textsOf(content: readonly unknown[]): string | null {
  const texts = content.flatMap((part) => (at(part, 'type') === 'text' ? (textAt(part, 'text') ?? []) : []))
  return texts.length === 0 ? null : texts.join(' ')
}
