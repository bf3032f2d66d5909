/**
 * What an agent's hook says, as far as it is used: which conversation it is about, and how the agent does. The payload comes from
 * outside: a field that is missing or of another kind says nothing, and texts are cut and cleaned.
 */
import { oneLine } from '../programStatus.ts'
import type { AgentState, StateReport } from '../state.ts'

export type HookPayload = Readonly<Partial<Record<(typeof HOOK_FIELDS)[number], string>>>

export type HookFact = {
  /** Null where the event is not about the current conversation. */
  readonly conversation: string | null
  readonly transcript: string | null
  readonly state: StateReport | null
}

/** The fields that are read, by their names in the agents' own payloads. */
export const HOOK_FIELDS = [
  ...['session_id', 'transcript_path', 'source', 'message', 'notification_type', 'tool_name'],
  ...['last_assistant_message', 'prompt_response', 'agent_id', 'sessionID', 'parentID', 'status', 'permission', 'title'],
] as const
/** Characters; longer ones are cut, since only the beginning is shown. */
export const LONGEST_FIELD = 4_096

/** Only what is read, and only so much of it. */
export function hookPayload(value: unknown): HookPayload {
  if (typeof value !== 'object' || value === null) return {}
  const fields = HOOK_FIELDS.flatMap((name) => {
    const found: unknown = Reflect.get(value, name)
    return typeof found === 'string' && found !== '' ? [[name, found.slice(0, LONGEST_FIELD)] as const] : []
  })
  return Object.fromEntries(fields)
}

type Said = { readonly state: AgentState; readonly wants?: StateReport['wants']; readonly words?: string | undefined } | null

/** Null for an event that says nothing about the agent in front: one of an agent inside the agent. */
export function hookFact(event: string, payload: HookPayload, at: number): HookFact | null {
  if (payload['agent_id'] !== undefined || payload['parentID'] !== undefined) return null
  const said = saidBy(event, payload)
  const state: StateReport | null =
    said === null ? null : { source: 'hook', state: said.state, wants: said.wants ?? null, words: oneLine(said.words ?? ''), at }
  if (event === 'SessionEnd') return { conversation: null, transcript: null, state }
  return {
    conversation: payload['session_id'] ?? payload['sessionID'] ?? null,
    transcript: payload['transcript_path'] ?? null,
    state,
  }
}

/** The names of the events are different enough to share one table. */
function saidBy(event: string, payload: HookPayload): Said {
  switch (event) {
    case 'SessionStart': // a compacted conversation continues in the middle of its turn
      return payload['source'] === 'compact' ? null : { state: 'idle' }
    case 'UserPromptSubmit':
    case 'BeforeAgent':
    case 'AfterTool':
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return { state: 'working' }
    case 'PermissionRequest':
    case 'permission.asked':
      return { state: 'needs-you', wants: 'permission', words: payload['tool_name'] ?? payload['permission'] }
    case 'question.asked':
      return { state: 'needs-you', wants: 'question' }
    case 'Notification':
      return notified(payload)
    case 'Stop':
    case 'AfterAgent':
      return { state: 'done', words: payload['last_assistant_message'] ?? payload['prompt_response'] }
    case 'session.idle':
      return { state: 'done' }
    case 'session.status':
      return payload['status'] === 'busy' || payload['status'] === 'retry' ? { state: 'working' } : null
    case 'Interrupt':
      return { state: 'idle' }
    case 'SessionEnd':
      return { state: 'unknown' }
    default:
      return null
  }
}

/** That it has been idle for a while is no news. */
function notified({ notification_type: type = '', message = '' }: HookPayload): Said {
  if (/permission/i.test(type) || (type === '' && /permission/i.test(message)))
    return { state: 'needs-you', wants: 'permission', words: message }
  return /elicitation/i.test(type) ? { state: 'needs-you', wants: 'question', words: message } : null
}
