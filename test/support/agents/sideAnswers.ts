import { field } from './jsonPick.ts'
import type { Api } from './requestSeen.ts'

type Aside = { readonly model: string; readonly body: unknown; readonly text: string }

/** The answer to a request that is not streamed: agents ask so for titles, summaries and which model to take. */
export function wholeAnswer(api: Api, { model, body, text: said }: Aside): object {
  const text = wantsJson(body) ? JSON.stringify(fill(schemaOf(body))) : said
  switch (api) {
    case 'anthropic': {
      const usage = { input_tokens: 10, output_tokens: 2 }
      return {
        id: 'msg_side',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage,
      }
    }
    case 'responses':
      return { id: 'resp_side', object: 'response', status: 'completed', model, output: [], usage: null }
    case 'chat': {
      const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }]
      return {
        id: 'chat_side',
        object: 'chat.completion',
        model,
        choices,
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }
    }
    case 'gemini':
      return { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, finishReason: 'STOP' }], modelVersion: model }
  }
}

const settingsOf = (body: unknown): unknown => field(body, 'generationConfig')
const wantsJson = (body: unknown): boolean => field(settingsOf(body), 'responseMimeType') === 'application/json'
const schemaOf = (body: unknown): unknown => field(settingsOf(body), 'responseJsonSchema') ?? field(settingsOf(body), 'responseSchema')

/** Something that fits the schema: a router that gets what it did not ask for asks again, several times. */
export function fill(schema: unknown): unknown {
  const type = String(field(schema, 'type')).toLowerCase()
  const choices = field(schema, 'enum')
  if (Array.isArray(choices)) return choices[0]
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type !== 'object') return 'made up'
  return Object.fromEntries(Object.entries(field(schema, 'properties') ?? {}).map(([name, each]) => [name, fill(each)]))
}
