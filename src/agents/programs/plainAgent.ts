/** What an agent is as long as nothing more is known of it: it is recognised, and ends by a signal. */
import type { Agent, Finding, Flags, Look } from '../agent.ts'
import { launchedWith } from '../argv.ts'
import { pathOf, UUID } from '../files.ts'
import { flagTable } from '../flags/flagTable.ts'

const NO_FLAGS: Flags = {
  grammar: 'other',
  takes: flagTable({ none: '-h --help --version' }),
  choosing: [],
  prompting: [],
  once: [],
  unsaved: [],
  notConversation: ['-h', '--help', '--version'],
}

type Told = Pick<Agent, 'id' | 'label' | 'recognise'> &
  Partial<Omit<Agent, 'flags' | 'findings'>> & {
    readonly flags?: Partial<Flags>
    /** Besides what its command line names; `launched` is that id. */
    readonly findings?: (look: Look, launched: string | null) => Promise<readonly Finding[]>
  }

export function plainAgent({ flags, findings, ...known }: Told): Agent {
  const agent: Agent = {
    idPattern: UUID,
    resume: null,
    latest: null,
    assign: null,
    configEnv: [],
    quit: { kind: 'signal', signal: 'SIGTERM' },
    exitHint: null,
    findings: async (look) => {
      const launched = launchedWith(agent, look.process.process.argv)
      const found = (await findings?.(look, launched?.id ?? null)) ?? []
      if (launched === null) return found
      return [{ ...launched, transcript: await pathOf(look, launched.id, agent.transcript), began: null }, ...found]
    },
    transcript: () => Promise.resolve({ kind: 'unknown' }),
    reading: null,
    shown: null,
    ...known,
    flags: { ...NO_FLAGS, ...flags },
  }
  return agent
}
