/** An agent has come to the front of a terminal that was not there at the last look. */

import { homedir } from 'node:os'
import type { Agent, AgentProcess, Finding, ProcessSight } from '../../agents/agent.ts'
import { PROVENANCES } from '../../agents/agent.ts'
import { isStatusOf, statusReport } from '../../agents/programStatus.ts'
import type { Recognised } from '../../agents/recognise.ts'
import { hintIn } from '../../agents/shown.ts'
import type { Reports } from '../../agents/stateMerge.ts'
import type { RunId } from '../../base/ids.ts'
import type { Live } from '../../workspace/terminal/terminal.ts'
import { unlessInDoubt } from '../../workspace/wrapper/wrapper.ts'
import { note } from './agentAudit.ts'
import { lastingArgv } from './lastingCommand.ts'
import { type Sight, selvesOf } from './processLook.ts'
import { screenText } from './screenText.ts'
import { typedArgv } from './typedArgv.ts'
import { movesSince, type SeenAgent, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'
import { wrapperSeen } from './wrapperSeen.ts'

type Arriving = { readonly daemon: AgentWorld; readonly watched: Watched; readonly sight: Sight; readonly terminal: Live }

type Arrived = Recognised & { readonly processes: readonly ProcessSight[] }

export async function arrive(arriving: Arriving, { agent, process, pids, processes }: Arrived): Promise<SeenAgent> {
  const { daemon, watched, sight, terminal } = arriving
  const [cwd, env, screen] = await Promise.all([
    sight.cwdOf(process.pid),
    environmentOf(agent, process.pid, sight),
    agent.exitHint === null ? '' : screenText(daemon, watched.run),
  ])
  const card = daemon.holders.card(watched.run)
  const argv = typedArgv({ terminal, card }, { agent, process, processes })
  const path = (await sight.environmentOf(process.pid, ['PATH']))?.['PATH'] ?? ''
  const typed = { ...process, argv: lastingArgv(agent, argv, path) }
  const seen: AgentProcess = {
    agent: agent.id,
    process: typed,
    pids,
    selves: selvesOf(sight, pids),
    cwd,
    env,
    startedAt: sight.startedAt(process),
  }
  const around = await wrapperSeen({ sight, terminal, card }, { agent, process, processes })
  const wrapper = unlessInDoubt(around, { agent, argv, hasWords: sight.hasWords || argv !== process.argv })
  const bound = knownOf(terminal, agent, watched)
  await noteArrival(daemon, terminal, seen)
  return {
    ...{ agent, process: seen, own: [], wrapper, isInFront: true, bound, noted: null, hook: null, oldHint: hintIn(agent, screen) },
    ...{ reports: saidAlready(daemon, watched.run, seen), shown: null, track: null, attendedAt: null },
    ...{ moves: movesSince(watched, seen.startedAt), inside: [] },
  }
}

/** When a process began is known only to the second on some systems. */
const CLOCK_SLACK_MS = 1_000

/** It may have said how it does before anybody saw it; what was said before it began is another one's. */
function saidAlready(daemon: AgentWorld, run: RunId, { agent, startedAt }: AgentProcess): Reports {
  const said = daemon.screens.statusOf(run)
  if (said === null || said.at < startedAt - CLOCK_SLACK_MS || !isStatusOf(agent, said.status)) return {}
  return { protocol: statusReport(said.status, said.at) }
}

/** Its files are found by these, so that a resume needs them; another home than ours is one of them. */
async function environmentOf(agent: Agent, pid: number, sight: Sight): Promise<AgentProcess['env']> {
  const { HOME, ...env } = (await sight.environmentOf(pid, [...agent.configEnv, 'HOME'])) ?? {}
  return HOME === undefined || HOME === homedir() ? env : { ...env, HOME }
}

/** A daemon that comes back, and a run that was started to resume it, begin with what is kept. Whoever comes later says it himself. */
export function knownOf({ restore, agent: kept, mode }: Live, agent: Agent, watched: Watched): Finding | null {
  if (watched.agent !== null || restore.kind !== 'conversation' || restore.agent !== agent.id) return null
  if (kept !== agent.id && mode !== 'resume') return null
  const provenance = PROVENANCES.find((each) => each === restore.provenance) ?? 'latest'
  return { id: restore.id, provenance, transcript: null, began: null }
}

/** Written down, so that a daemon that comes back knows that there was one, should it be gone by then. */
async function noteArrival(daemon: AgentWorld, { id, run, agent: kept }: Live, { agent, process }: AgentProcess): Promise<void> {
  if (kept === agent) return
  await daemon.registry.apply(id, { kind: 'conversationSeen', run, restore: { kind: 'unknown', agent }, agent })
  await note(daemon, id, { event: 'seen', agent, id: null, provenance: null, why: `process ${process.pid} has the keyboard` })
}
