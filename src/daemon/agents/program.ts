/**
 * The process that a holder is told to start. A resumed agent is started by the user's login shell; an agent that takes an
 * id for a new conversation gets one, and from then on it is known which conversation this is.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../agents/agent.ts'
import { assignedArgs, carriedFlags } from '../../agents/argv.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import type { RunId } from '../../base/ids.ts'
import type { HolderOrder } from '../../wire/holder.ts'
import { loginStart } from '../../workspace/command/loginShell.ts'
import type { Environment } from '../../workspace/redact/environment.ts'
import { type Conversation, environmentOf } from '../../workspace/terminal/resume.ts'
import { PROVED_AFTER_MS } from '../../workspace/terminal/resumeFailure.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { unlessInDoubt } from '../../workspace/wrapper/wrapper.ts'
import { shellOf } from '../base/programs.ts'
import type { Start } from './resumeCheck.ts'
import type { StartWorld } from './world.ts'

export type Program = Pick<HolderOrder, 'command' | 'args' | 'env'>

type Starting = {
  readonly terminal: Terminal
  readonly run: RunId
  readonly start: Start
  readonly inherited: Readonly<Record<string, string>>
}

export function programOf(daemon: StartWorld, starting: Starting): Program {
  const { start } = starting
  const isNew = start.argv.from === 'original' || start.argv.from === 'new'
  const argv = { ...start.argv, args: (isNew ? withAssignedId(daemon, starting) : null) ?? start.argv.args }
  const login = start.isByLogin ? byLogin(daemon, { ...starting, start: { ...start, argv } }) : null
  return login ?? { command: argv.command, args: argv.args, env: start.env }
}

function byLogin(daemon: StartWorld, { terminal, start, inherited }: Starting): Program | null {
  const { argv, cwd, env } = start
  const login = loginStart({
    shell: shellOf(daemon.config, inherited),
    argv: [argv.command, ...argv.args],
    cwd,
    env: { ...terminal.spec.env, ...environmentOf(terminal, argv) },
    path: env['PATH'] ?? '',
    trialEnds: (Date.now() + PROVED_AFTER_MS) / 1_000,
  })
  return login === null ? null : { command: login.command, args: login.args, env: { ...env, ...login.env } }
}

/** Told before it is started, so that nothing that is seen of it comes before. A conversation that is known stays until a fresh one is real. */
function withAssignedId(daemon: StartWorld, { terminal, run, start }: Starting): readonly string[] | null {
  const { argv, cwd, env } = start
  const agent = argv.agent === null ? null : agentNamed(daemon.config.agents, argv.agent)
  const id = randomUUID()
  const args = agent === null ? null : assignedArgs(agent, argv.args, id)
  if (agent === null || args === null) return null
  if (terminal.restore.kind !== 'conversation' || argv.from === 'new') {
    const restore = assignedConversation(agent, { id, argv: [argv.command, ...argv.args], cwd, env })
    daemon.react(terminal.id, { kind: 'conversationSeen', run, restore, agent: agent.id })
  }
  return args
}

type Assigned = { readonly id: string; readonly argv: readonly string[]; readonly cwd: string; readonly env: Environment }

export function assignedConversation(agent: Agent, { id, argv, cwd, env }: Assigned): Conversation {
  const [command = agent.id] = argv
  const places = Object.fromEntries(agent.configEnv.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  const again = [command, ...(agent.assign?.(id) ?? []), ...carriedFlags(agent, argv)]
  const wrapper = unlessInDoubt({ kind: 'none' }, { agent, argv, hasWords: true })
  return { kind: 'conversation', agent: agent.id, id, provenance: 'assigned', argv: again, cwd, env: places, wrapper }
}
