/** Gathers what the system tells about the processes between a terminal and its agent, when the agent comes. */
import type { Agent, ProcessSight } from '../../agents/agent.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Live } from '../../workspace/terminal/terminal.ts'
import { type Above, TOLD_NAMES, wrapperAround } from '../../workspace/wrapper/around.ts'
import { type Confinement, differences } from '../../workspace/wrapper/confinement.ts'
import type { Wrapper } from '../../workspace/wrapper/wrapper.ts'
import type { Sight } from './processLook.ts'

type Place = { readonly sight: Sight; readonly terminal: Pick<Live, 'restore'>; readonly card: HolderCard | null }
type Found = { readonly agent: Agent; readonly process: ProcessSight; readonly processes: readonly ProcessSight[] }

export async function wrapperSeen({ sight, terminal, card }: Place, { agent, process, processes }: Found): Promise<Wrapper> {
  if (card === null) return { kind: 'unsure', ran: agent.id, why: 'what the terminal was started with is not known' }
  const above = ancestorsOf(process, { processes, root: card.pid })
  const base = baseOf(sight, card)
  const seen = (one: ProcessSight): Promise<Above> => seenOf(one, { sight, base })
  const { restore } = terminal
  const kept = restore.kind === 'conversation' && restore.agent === agent.id ? (restore.wrapper ?? null) : null
  return wrapperAround({
    agent,
    own: await seen(process),
    started: { argv: [card.command, ...card.args], cwd: card.cwd },
    above: await Promise.all(above.map(seen)),
    hasWords: sight.hasWords,
    kept,
  })
}

type Tree = { readonly processes: readonly ProcessSight[]; readonly root: number }

/** The root first. The agent itself is not among them, and where it is the root nobody is. */
function ancestorsOf(process: ProcessSight, { processes, root }: Tree): readonly ProcessSight[] {
  const byPid = new Map(processes.map((each) => [each.pid, each]))
  const above: ProcessSight[] = []
  for (let at = process; at.pid !== root; ) {
    const parent = byPid.get(at.parent)
    if (parent === undefined || above.includes(parent)) break
    above.unshift(parent)
    at = parent
  }
  return above
}

/** Nothing confines a holder; the control group alone is that of the terminal's program, which systemd may have put elsewhere. */
function baseOf(sight: Sight, { holderPid, pid }: HolderCard): Confinement | null {
  const holder = sight.confinementOf(holderPid)
  const group = sight.confinementOf(pid)?.places['control group'] ?? null
  return holder === null ? null : { ...holder, places: { ...holder.places, 'control group': group } }
}

type Compared = { readonly sight: Sight; readonly base: Confinement | null }

async function seenOf({ pid, argv }: ProcessSight, { sight, base }: Compared): Promise<Above> {
  const [cwd, env] = await Promise.all([sight.cwdOf(pid), sight.environmentOf(pid, TOLD_NAMES)])
  return { argv, cwd, env: env ?? {}, confined: differences(sight.confinementOf(pid), base) }
}
