import { describe, expect, it } from 'vitest'
import { hookFact, hookPayload, LONGEST_FIELD } from './hookEvent.ts'
import { HOOK_TARGETS, hookTarget } from './hookTargets.ts'

const fact = (event: string, payload: object = {}) => hookFact(event, hookPayload(payload), 7)
const ID = 'ff36a1a2-0000-4000-8000-000000000000'

describe('what a hook says', () => {
  it.each([
    ['SessionStart', { source: 'startup' }, { state: 'idle' }],
    ['UserPromptSubmit', { prompt: 'secret' }, { state: 'working' }],
    ['PermissionRequest', { tool_name: 'Bash' }, { state: 'needs-you', wants: 'permission', words: 'Bash' }],
    [
      'Notification',
      { notification_type: 'permission_prompt', message: 'Run it?' },
      { state: 'needs-you', wants: 'permission', words: 'Run it?' },
    ],
    ['Notification', { message: 'Claude needs your permission to use Bash' }, { state: 'needs-you', wants: 'permission' }],
    ['Notification', { notification_type: 'ToolPermission', message: 'Tool run' }, { state: 'needs-you', wants: 'permission' }],
    ['Notification', { notification_type: 'elicitation_dialog' }, { state: 'needs-you', wants: 'question' }],
    ['Stop', { last_assistant_message: 'All\ngreen.\x1b[0m' }, { state: 'done', words: 'All green. [0m' }],
    ['AfterAgent', { prompt_response: 'Yes.' }, { state: 'done', words: 'Yes.' }],
    ['Interrupt', {}, { state: 'idle' }],
    ['session.status', { sessionID: 'ses_1', status: 'busy' }, { state: 'working' }],
    ['permission.asked', { permission: 'edit' }, { state: 'needs-you', wants: 'permission', words: 'edit' }],
    ['session.idle', {}, { state: 'done' }],
  ])('%s %j', (event, payload, state) => {
    expect(fact(event, payload)?.state).toMatchObject({ source: 'hook', at: 7, ...state })
  })

  it.each([
    ['SessionStart', { source: 'compact' }],
    ['Notification', { notification_type: 'idle_prompt', message: 'Claude is waiting for your input' }],
    ['session.status', { status: 'idle' }],
    ['session.updated', {}],
    ['SomethingNew', {}],
  ])('%s %j is nothing about how it does', (event, payload) => {
    expect(fact(event, { session_id: ID, ...payload })).toMatchObject({ conversation: ID, state: null })
  })

  it('names the conversation and its transcript', () => {
    expect(fact('Stop', { session_id: ID, transcript_path: '/t.jsonl' })).toMatchObject({ conversation: ID, transcript: '/t.jsonl' })
    expect(fact('session.created', { sessionID: 'ses_1' })).toMatchObject({ conversation: 'ses_1' })
  })

  it('does not name one that ends: the next may be there already', () => {
    expect(fact('SessionEnd', { session_id: ID, reason: 'clear' })).toMatchObject({ conversation: null, state: { state: 'unknown' } })
  })

  it('is nothing when it is about an agent inside the agent', () => {
    expect(fact('Stop', { session_id: ID, agent_id: 'a1' })).toBeNull()
    expect(fact('session.idle', { sessionID: 'ses_2', parentID: 'ses_1' })).toBeNull()
  })

  it('is taken from whatever comes, and no more of it than is used', () => {
    for (const odd of [null, 3, [], 'x', { session_id: {} }]) expect(hookPayload(odd)).toEqual({})
    expect(hookPayload({ message: 'x'.repeat(9_999), prompt: 'secret' })).toEqual({ message: 'x'.repeat(LONGEST_FIELD) })
  })
})

describe('where hooks are installed', () => {
  it('is where each agent has its settings', () => {
    const places = (env: Record<string, string>) => HOOK_TARGETS.map(({ directory, file }) => `${directory(env, '/home/a')}/${file}`)
    expect(places({})).toEqual([
      '/home/a/.claude/settings.json',
      '/home/a/.codex/hooks.json',
      '/home/a/.gemini/settings.json',
      '/home/a/.config/opencode/plugin/holdfast.js',
    ])
    expect(places({ CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/cfg' })).toEqual([
      '/c/settings.json',
      '/x/hooks.json',
      '/home/a/.gemini/settings.json',
      '/cfg/opencode/plugin/holdfast.js',
    ])
    expect(hookTarget('vim')).toBeNull()
  })
})
