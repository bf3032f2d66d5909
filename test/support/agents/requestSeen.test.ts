import { expect, test } from 'vitest'
import { seeRequest } from './requestSeen.ts'

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
  expect(seeRequest('chat', null)).toEqual({ users: 0, marks: [], last: '', tools: [], isToolAnswer: false })
})
