import type { Api } from './requestSeen.ts'

/** What the model says: words in pieces, or that it wants a tool to run. */
export type Reply =
  | { readonly kind: 'words'; readonly pieces: AsyncIterable<string> | Iterable<string> }
  | { readonly kind: 'tool'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** One event of a stream; those of some ways to speak have a name. */
export type StreamEvent = { readonly name: string | null; readonly data: unknown }

const ID = 'made-up'
const unnamed = (data: unknown): StreamEvent => ({ name: null, data })
const named = (data: { readonly type: string; readonly [more: string]: unknown }): StreamEvent => ({ name: data.type, data })

/** What the model is called, and how many tokens it was sent. */
type Asked = { readonly model: string; readonly tokens: number }

export function streamOf(api: Api, { model, tokens }: Asked, reply: Reply): AsyncGenerator<StreamEvent> {
  switch (api) {
    case 'anthropic':
      return anthropic(model, reply)
    case 'responses':
      return responses(model, reply)
    case 'chat':
      return chat({ model, tokens }, reply)
    case 'gemini':
      return gemini({ model, tokens }, reply)
  }
}

async function* anthropic(model: string, reply: Reply): AsyncGenerator<StreamEvent> {
  const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = { id: `msg_${ID}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage }
  const delta = (part: object): StreamEvent => named({ type: 'content_block_delta', index: 0, delta: part })
  const begin = (block: object): StreamEvent => named({ type: 'content_block_start', index: 0, content_block: block })
  yield named({ type: 'message_start', message })
  if (reply.kind === 'tool') {
    yield begin({ type: 'tool_use', id: `toolu_${ID}_${Date.now()}`, name: reply.tool, input: {} })
    yield delta({ type: 'input_json_delta', partial_json: JSON.stringify(reply.input) })
  } else {
    yield begin({ type: 'text', text: '' })
    for await (const text of reply.pieces) yield delta({ type: 'text_delta', text })
  }
  yield named({ type: 'content_block_stop', index: 0 })
  const stop_reason = reply.kind === 'tool' ? 'tool_use' : 'end_turn'
  yield named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 12 } })
  yield named({ type: 'message_stop' })
}

async function* responses(model: string, reply: Reply): AsyncGenerator<StreamEvent> {
  const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, total_tokens: 15 }
  const base = { id: `resp_${ID}`, object: 'response', created_at: Math.floor(Date.now() / 1000), model }
  let count = 0
  const event = (type: string, more: object): StreamEvent => named({ type, sequence_number: count++, output_index: 0, ...more })
  yield event('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } })
  let item: object
  if (reply.kind === 'tool') {
    const call = { type: 'function_call', id: `fc_${ID}`, call_id: `call_${ID}_${Date.now()}`, name: reply.tool }
    item = { ...call, arguments: JSON.stringify(reply.input), status: 'completed' }
    yield event('response.output_item.added', { item: { ...call, arguments: '', status: 'in_progress' } })
  } else {
    const message = { type: 'message', id: `msg_${ID}`, role: 'assistant' }
    yield event('response.output_item.added', { item: { ...message, status: 'in_progress', content: [] } })
    let text = ''
    for await (const delta of reply.pieces) {
      text += delta
      yield event('response.output_text.delta', { item_id: message.id, content_index: 0, delta })
    }
    item = { ...message, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
  }
  yield event('response.output_item.done', { item })
  yield event('response.completed', { response: { ...base, status: 'completed', output: [item], usage } })
}

async function* chat({ model, tokens }: Asked, reply: Reply): AsyncGenerator<StreamEvent> {
  const base = { id: `chatcmpl-${ID}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model }
  const chunk = (delta: object, finish_reason: string | null = null): StreamEvent =>
    unnamed({ ...base, choices: [{ index: 0, delta, finish_reason }] })
  yield chunk({ role: 'assistant', content: '' })
  if (reply.kind === 'tool') {
    const call = { name: reply.tool, arguments: JSON.stringify(reply.input) }
    yield chunk({ tool_calls: [{ index: 0, id: `call_${ID}_${Date.now()}`, type: 'function', function: call }] })
  } else for await (const content of reply.pieces) yield chunk({ content })
  yield chunk({}, reply.kind === 'tool' ? 'tool_calls' : 'stop')
  yield unnamed({ ...base, choices: [], usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 } })
}

async function* gemini({ model, tokens }: Asked, reply: Reply): AsyncGenerator<StreamEvent> {
  const chunk = (parts: readonly object[], finish: object = {}): StreamEvent =>
    unnamed({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens + 5 },
      modelVersion: model,
    })
  if (reply.kind === 'tool') yield chunk([{ functionCall: { name: reply.tool, args: reply.input } }])
  else for await (const text of reply.pieces) yield chunk([{ text }])
  yield chunk([{ text: '' }], { finishReason: 'STOP' })
}
