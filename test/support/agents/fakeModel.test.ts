import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeModel, startFakeModel } from './fakeModel.ts'

let model: FakeModel
beforeAll(async () => {
  model = await startFakeModel()
})
afterAll(() => model[Symbol.asyncDispose]())

const ask = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })

/** A request of an agent to each of the four, with a tool and two prompts. */
const asked = (mark: string) => {
  const one = `say MARK-${mark}1`
  const two = `say MARK-${mark}2`
  const users = [one, two].map((content) => ({ role: 'user', content }))
  return [
    ['/v1/messages', { stream: true, messages: users, tools: [{ name: 'Bash' }] }],
    ['/v1/responses', { stream: true, input: users, tools: [{ type: 'function', name: 'exec_command' }] }],
    ['/v1/chat/completions', { stream: true, messages: users, tools: [{ function: { name: 'bash' } }] }],
    [
      '/v1beta/models/fake:streamGenerateContent',
      {
        contents: [one, two].map((text) => ({ role: 'user', parts: [{ text }] })),
        tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      },
    ],
  ] as const
}

test.each(['A', 'B', 'C', 'D'].map((mark, index) => [asked(mark)[index]?.[0] ?? '', asked(mark)[index]?.[1] ?? {}, mark] as const))(
  '%s is answered with the number of prompts and their marks, and remembered',
  async (path, body, mark) => {
    const before = model.turns().length
    const text = await (await ask(path, body, { 'session-id': `the-${mark}` })).text()
    expect(text).toContain(`REPLY users=2 marks=${mark}1+${mark}2`)
    expect(model.turns().slice(before)).toMatchObject([{ users: 2, marks: [`${mark}1`, `${mark}2`], conversation: `the-${mark}` }])
    expect(await model.turnWith(`${mark}2`, 0)).toMatchObject({ users: 2 })
  },
)

test('a request without tools is a title, not a turn', async () => {
  const before = model.turns().length
  const messages = [{ role: 'user', content: 'a title for: say MARK-TITLE' }]
  expect(await (await ask('/v1/chat/completions', { stream: true, messages })).text()).toContain('A title')
  expect(model.turns()).toHaveLength(before)
})

test('TOOL asks for the shell tool, and what it said ends the turn with words', async () => {
  const prompt = { role: 'user', content: 'say MARK-T TOOL:echo hello' }
  const tools = [{ name: 'Bash' }]
  const asks = await (await ask('/v1/messages', { stream: true, messages: [prompt], tools })).text()
  expect(asks).toContain('"name":"Bash"')
  expect(asks).toContain(String.raw`{\"command\":\"echo hello\"`)
  const result = { role: 'user', content: [{ type: 'tool_result', content: 'hello' }] }
  expect(await (await ask('/v1/messages', { stream: true, messages: [prompt, result], tools })).text()).toContain('REPLY users=1 marks=T')
})

test('HOLD is answered without an end, until whoever asked goes away', async () => {
  const messages = [{ role: 'user', content: 'say MARK-H HOLD' }]
  const response = await ask('/v1/messages', { stream: true, messages, tools: [{ name: 'Bash' }] })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(' more')) text += (await reader?.read())?.value ?? ''
  expect(text).toContain('REPLY users=1 marks=H')
  await reader?.cancel()
})

test('what an agent wants to have as JSON fits its schema', async () => {
  const responseJsonSchema = {
    type: 'object',
    properties: { score: { type: 'integer' }, why: { type: 'string' }, model: { enum: ['small'] } },
  }
  const body = { contents: [], generationConfig: { responseMimeType: 'application/json', responseJsonSchema } }
  const answer = (await (await ask('/v1beta/models/fake:generateContent', body)).json()) as {
    candidates: { content: { parts: { text: string }[] } }[]
  }
  expect(JSON.parse(answer.candidates[0]?.content.parts[0]?.text ?? '')).toEqual({ score: 1, why: 'made up', model: 'small' })
})
