/** What an agent is as long as nothing more is known of it: it is recognised, and ends by a signal. */
import type { Agent, Flags } from './agent.ts'

export const NO_FLAGS: Flags = {
  withValue: [],
  withMany: [],
  alone: [],
  droppedWithValue: [],
  choosing: [],
  notConversation: ['-h', '--help', '--version'],
}

type Named = Pick<Agent, 'id' | 'label' | 'recognise'>

export function plainAgent({ flags, ...known }: Named & Partial<Omit<Agent, 'flags'>> & { readonly flags?: Partial<Flags> }): Agent {
  return {
    idPattern: UUID,
    resume: null,
    latest: null,
    assign: null,
    configEnv: [],
    quit: { kind: 'signal', signal: 'SIGTERM' },
    exitHint: null,
    findings: () => Promise.resolve([]),
    transcript: () => Promise.resolve({ kind: 'unknown' }),
    reading: null,
    shown: null,
    ...known,
    flags: { ...NO_FLAGS, ...flags },
  }
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As opencode and its descendants number their conversations. */
export const SES = /^ses_[0-9A-Za-z]{8,64}$/
