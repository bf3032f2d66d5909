import { expect, test } from 'vitest'
import { seeRequest, summaryOf, toolSchema } from './requestSeen.ts'

test('only messages of the user that carry a mark count, whatever an agent puts beside them', () => {
  const body = {
    messages: [
      { role: 'system', content: 'say MARK-NOT' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>today</system-reminder>' },
          { type: 'text', text: 'say MARK-ONE' },
        ],
      },
      { role: 'assistant', content: 'REPLY users=1 marks=ONE' },
      { role: 'user', content: 'say MARK-TWO' },
    ],
    tools: [{ name: 'Bash' }],
  }
  expect(seeRequest('anthropic', body)).toEqual({
    users: 2,
    marks: ['ONE', 'TWO'],
    last: 'say MARK-TWO',
    tools: ['Bash'],
    compacted: [],
    wantsSummary: false,
    isToolAnswer: false,
  })
})

test('prompts that an agent sends as parts of one message are as many as were typed', () => {
  const parts = [{ text: 'say MARK-ONE' }, { text: 'say MARK-TWO' }]
  expect(seeRequest('gemini', { contents: [{ role: 'user', parts }] })).toMatchObject({ users: 2, marks: ['ONE', 'TWO'] })
})

test.each([
  ['anthropic', { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'ok' }] }] }],
  ['responses', { input: [{ type: 'function_call_output', output: 'ok' }] }],
  ['chat', { messages: [{ role: 'tool', content: 'ok' }] }],
  ['gemini', { contents: [{ role: 'user', parts: [{ functionResponse: {} }] }] }],
] as const)('what a tool said is known from what was typed: %s', (api, body) => {
  expect(seeRequest(api, body)).toMatchObject({ isToolAnswer: true, users: 0 })
})

test('what was typed counts, also in one message with what a tool said', () => {
  const content = [
    { type: 'tool_result', content: 'ok' },
    { type: 'text', text: 'say MARK-TWO' },
  ]
  expect(seeRequest('anthropic', { messages: [{ role: 'user', content }] })).toMatchObject({ isToolAnswer: false, marks: ['TWO'] })
})

test.each([
  ['anthropic', { tools: [{ name: 'Bash' }] }, ['Bash']],
  ['responses', { tools: [{ type: 'function', name: 'shell' }, { type: 'web_search' }] }, ['shell', 'web_search']],
  ['chat', { tools: [{ type: 'function', function: { name: 'bash' } }] }, ['bash']],
  ['gemini', { tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }] }, ['run_shell_command']],
] as const)('tools are known by their names: %s', (api, body, names) => {
  expect(seeRequest(api, body).tools).toEqual(names)
})

test('what is no request at all has nothing in it', () => {
  expect(seeRequest('chat', null)).toEqual({
    users: 0,
    marks: [],
    last: '',
    tools: [],
    compacted: [],
    wantsSummary: false,
    isToolAnswer: false,
  })
})

test('an order to sum up is told from a prompt, whatever an agent puts behind the prompt', () => {
  const typed = { role: 'user', content: [{ type: 'text', text: 'say MARK-ONE' }] }
  const answer = { role: 'assistant', content: 'REPLY users=1 marks=ONE' }
  const order = { role: 'user', content: 'Your task is to create a detailed summary of the conversation so far' }
  const reminder = { role: 'system', content: 'a summary of your tools' }
  const wants = (...messages: object[]) => seeRequest('anthropic', { messages }).wantsSummary
  expect(wants(typed, answer, order)).toBe(true)
  expect(wants(typed, reminder)).toBe(false)
  expect(wants(order, answer, typed)).toBe(false)
})

test('marks of a summary are known, and are none that were typed', () => {
  const content = `What happened before: ${summaryOf(['ONE', 'TWO'])}`
  const messages = [
    { role: 'user', content },
    { role: 'user', content: 'say MARK-THREE' },
  ]
  expect(seeRequest('chat', { messages })).toMatchObject({ users: 1, marks: ['THREE'], compacted: ['ONE', 'TWO'] })
})

test('what a tool must be given is found in each way to speak', () => {
  const schema = { type: 'object', properties: { commands: { type: 'array' } } }
  const bodies = [
    { tools: [{ name: 'run', input_schema: schema }] },
    { tools: [{ type: 'function', name: 'run', parameters: schema }] },
    { tools: [{ type: 'function', function: { name: 'run', parameters: schema } }] },
    { tools: [{ functionDeclarations: [{ name: 'run', parametersJsonSchema: schema }] }] },
  ]
  for (const body of bodies) expect(toolSchema(body, 'run')).toEqual(schema)
})
