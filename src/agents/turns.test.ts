/** What the ends of transcripts say about the state. The rows are cut from those of the real programs. */
import { describe, expect, test } from 'vitest'
import { memoryLook, START } from '../../test/support/memoryLook.ts'
import { copilotTurn } from './programs/copilot.ts'
import { gemini } from './programs/gemini.ts'
import { piTurn } from './programs/pi.ts'
import { qwenTurn } from './programs/qwen.ts'

const timestamp = new Date(START).toISOString()
const rows = (...all: readonly object[]): string => all.map((row) => JSON.stringify({ timestamp, ...row })).join('\n')

describe('GitHub Copilot CLI', () => {
  const event = (type: string, data: object = {}) => ({ type, data })
  const stateAfter = (...events: readonly object[]) => copilotTurn(rows(...events)).state
  const asks = event('permission.requested', { requestId: 'r', permissionRequest: { fullCommandText: 'rm x', intention: 'Remove' } })
  const answer = event('assistant.message', { model: 'gpt', content: 'Done.', toolRequests: [] })
  const calls = event('assistant.message', { content: '', toolRequests: [{ name: 'bash' }] })

  test('works from the prompt to the end of its last turn', () => {
    expect(stateAfter(event('session.start'))).toBeNull()
    expect(stateAfter(event('user.message'))?.state).toBe('working')
    expect(stateAfter(event('user.message'), event('hook.end'))?.state).toBe('working')
    expect(stateAfter(calls, event('assistant.turn_end'))?.state).toBe('working')
    expect(stateAfter(answer, event('assistant.turn_end'))).toMatchObject({ state: 'idle', words: 'Done.', at: START })
    expect(stateAfter(event('user.message'), event('abort'))?.state).toBe('idle')
  })

  test('asks until it is answered', () => {
    expect(stateAfter(calls, asks, event('hook.end'))).toMatchObject({ state: 'needs-you', wants: 'permission', words: 'rm x' })
    expect(stateAfter(calls, asks, event('permission.completed', { requestId: 'r' }))?.state).toBe('working')
    expect(stateAfter(event('user_input.requested', { requestId: 'q', question: 'Which?' }))).toMatchObject({
      ...{ state: 'needs-you', wants: 'question', words: 'Which?' },
    })
    const answered = [event('user_input.requested', { requestId: 'q' }), event('user_input.completed', { requestId: 'q' })]
    expect(stateAfter(calls, ...answered)?.state).toBe('working')
  })

  test('tells its model and how much is in its context', () => {
    const usage = event('session.usage_record', { usage: { inputTokens: 10, outputTokens: 5 } })
    expect(copilotTurn(rows(usage, answer))).toMatchObject({ model: 'gpt', tokens: 15 })
  })
})

describe('pi', () => {
  const message = (role: string, more: object = {}) => ({ type: 'message', message: { role, ...more } })
  const answer = (stopReason: string) =>
    message('assistant', { content: [{ type: 'text', text: 'Done.' }], stopReason, model: 'm', usage: { totalTokens: 15 } })
  const stateAfter = (...messages: readonly object[]) => piTurn(rows(...messages)).state

  test('works until an answer stops or is aborted', () => {
    expect(stateAfter({ type: 'session' })).toBeNull()
    expect(stateAfter(message('user'))?.state).toBe('working')
    expect(stateAfter(message('user'), answer('toolUse'))?.state).toBe('working')
    expect(stateAfter(answer('toolUse'), message('toolResult'))?.state).toBe('working')
    expect(stateAfter(message('user'), answer('error'))?.state).toBe('working')
    expect(stateAfter(message('user'), answer('aborted'))?.state).toBe('idle')
    expect(piTurn(rows(message('user'), answer('stop')))).toMatchObject({
      state: { state: 'idle', words: 'Done.', at: START },
      ...{ model: 'm', tokens: 15 },
    })
  })
})

describe('Qwen Code', () => {
  const row = (type: string, ...parts: readonly object[]) => ({ type, model: 'm', message: { parts } })
  const stateAfter = (...all: readonly object[]) => qwenTurn(rows(...all)).state

  test('works until it has answered without calling a tool', () => {
    expect(stateAfter(row('system'))).toBeNull()
    expect(stateAfter(row('user', { text: 'hello' }), row('system'))?.state).toBe('working')
    expect(stateAfter(row('assistant', { text: 'I will.' }, { functionCall: {} }))?.state).toBe('working')
    expect(stateAfter(row('tool_result'))?.state).toBe('working')
    expect(stateAfter(row('assistant', { text: 'Done.' }), row('system'))).toMatchObject({ state: 'idle', words: 'Done.' })
  })
})

describe('Gemini CLI', () => {
  const stateAfter = async (...all: readonly object[]) =>
    (await gemini.reading!(memoryLook({ files: { '/t': rows(...all) } }), { id: 'x', transcript: '/t' }))?.state

  test('works while a call stands among its words, and rests after a prompt that was cancelled', async () => {
    expect((await stateAfter({ type: 'gemini', content: [{ functionCall: { name: 'run_shell_command' } }] }))?.state).toBe('working')
    expect((await stateAfter({ type: 'gemini', content: [{ text: 'Done.' }] }))?.state).toBe('idle')
    expect((await stateAfter({ type: 'user' }, { type: 'info', content: 'Request cancelled.' }))?.state).toBe('idle')
    expect((await stateAfter({ type: 'user' }, { type: 'info', content: 'Update available.' }))?.state).toBe('working')
  })
})
