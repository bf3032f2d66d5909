import { field, listOf, textOf } from './jsonPick.ts'

/** The four ways in which the agents speak to a model. */
export type Api = 'anthropic' | 'responses' | 'chat' | 'gemini'

/**
 * What one request says of the conversation behind it. Only what a person typed counts: tests put a word like MARK-ONE into
 * each prompt, and agents put texts of their own among the user's messages.
 */
export type RequestSeen = {
  /** How many of the user's messages carry a mark. */
  readonly users: number
  /** Their marks without the prefix, in order, each as often as it was typed. */
  readonly marks: readonly string[]
  /** The last of those messages: where directives stand. */
  readonly last: string
  readonly tools: readonly string[]
  /** Marks of prompts of which only a summary is left, one that this model wrote. */
  readonly compacted: readonly string[]
  /** The agent wants a summary with which it may go on in less room. */
  readonly wantsSummary: boolean
  /** The agent answers with what a tool said, rather than with what somebody typed. */
  readonly isToolAnswer: boolean
}

const MARK = /MARK-([A-Z0-9]+)/g

export function seeRequest(api: Api, body: unknown): RequestSeen {
  const typed = userTexts(api, body).filter((text) => text.match(MARK) !== null)
  const marks = typed.flatMap((text) => [...text.matchAll(MARK)].map(([, mark]) => mark ?? ''))
  return {
    users: typed.length,
    marks,
    last: typed.at(-1) ?? '',
    tools: toolNames(api, body),
    compacted: compactedMarks(body),
    wantsSummary: wantsSummary(api, body),
    isToolAnswer: isToolAnswer(api, body),
  }
}

/** In a summary the marks are written in another way, so that what was typed is not counted twice. */
export const summaryOf = (marks: readonly string[]): string => `SUMMARY-OF(${marks.join('+')})`

/** An agent may make one summary of most of the conversation and another one of the rest. */
const compactedMarks = (body: unknown): string[] => {
  const summaries = [...JSON.stringify(body ?? null).matchAll(/SUMMARY-OF\(([A-Z0-9+]+)\)/g)]
  return [...new Set(summaries.flatMap(([, marks = '']) => marks.split('+')))]
}

const TYPED = /^\s*(<user_input[^>]*>)?\s*say MARK-/m
const SUMMARY_WORDS = /summar|compact|handoff|state_snapshot/i

/** Since the model's last words there is an order of the agent's own to write one, and nothing that was typed. */
function wantsSummary(api: Api, body: unknown): boolean {
  const messages = messagesOf(api, body)
  const answered = messages.findLastIndex((message) => ['assistant', 'model'].includes(textOf(field(message, 'role'))))
  const since = messages.slice(answered + 1).flatMap((message) => textsOf(api, message))
  return SUMMARY_WORDS.test(since.join('\n')) && !TYPED.test(since.join('\n')) && !isToolAnswer(api, body)
}

const messagesOf = (api: Api, body: unknown): readonly unknown[] => {
  switch (api) {
    case 'anthropic':
    case 'chat':
      return listOf(field(body, 'messages'))
    case 'responses':
      return listOf(field(body, 'input'))
    case 'gemini':
      return listOf(field(body, 'contents'))
  }
}

const userTexts = (api: Api, body: unknown): string[] =>
  messagesOf(api, body).flatMap((message) => (field(message, 'role') === 'user' ? textsOf(api, message) : []))

/** A message may have several parts: an agent that lost an answer sends the prompts before and after it as one message. */
function textsOf(api: Api, message: unknown): string[] {
  const content = field(message, api === 'gemini' ? 'parts' : 'content')
  return typeof content === 'string' ? [content] : listOf(content).map((part) => textOf(field(part, 'text')))
}

function toolNames(api: Api, body: unknown): string[] {
  const tools = listOf(field(body, 'tools'))
  if (api === 'gemini')
    return tools.flatMap((tool) => listOf(field(tool, 'functionDeclarations')).map((each) => textOf(field(each, 'name'))))
  return tools.map((tool) => textOf(field(api === 'chat' ? field(tool, 'function') : tool, 'name')) || textOf(field(tool, 'type')))
}

/** What a tool must be given, in the words of the agent that offers it. */
export function toolSchema(body: unknown, tool: string): unknown {
  const offered = listOf(field(body, 'tools')).flatMap((each) => [
    each,
    field(each, 'function'),
    ...listOf(field(each, 'functionDeclarations')),
  ])
  const found = offered.find((each) => field(each, 'name') === tool)
  const names = ['input_schema', 'parameters', 'parametersJsonSchema']
  return names.map((name) => field(found, name)).find((schema) => schema !== undefined)
}

function isToolAnswer(api: Api, body: unknown): boolean {
  const last = messagesOf(api, body).at(-1)
  // What was typed may come in one message with what a tool said before it.
  if (textsOf(api, last).some((text) => text.match(MARK) !== null)) return false
  switch (api) {
    case 'anthropic':
      return listOf(field(last, 'content')).some((part) => field(part, 'type') === 'tool_result')
    case 'responses':
      return field(last, 'type') === 'function_call_output'
    case 'chat':
      return field(last, 'role') === 'tool'
    case 'gemini':
      return listOf(field(last, 'parts')).some((part) => field(part, 'functionResponse') !== undefined)
  }
}
