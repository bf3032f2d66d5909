/** The command line that an agent was started with, by whoever knows it best. */
import type { Agent, ProcessSight } from '../../agents/agent.ts'
import { agentOfProcess } from '../../agents/recognise.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { isLoginRoot } from '../../workspace/command/loginShell.ts'
import type { Live } from '../../workspace/terminal/terminal.ts'

type Found = { readonly agent: Agent; readonly process: ProcessSight; readonly processes: readonly ProcessSight[] }
type Place = { readonly terminal: Pick<Live, 'restore'>; readonly card: HolderCard | null }

/**
 * Of a program that Holdfast has started itself the words are known exactly. The system tells those of others, unless the process
 * has written a title over them, or the system tells one text.
 */
export function typedArgv({ terminal: { restore }, card }: Place, { agent, process, processes }: Found): readonly string[] {
  if (card === null) return process.argv
  const parent = processes.find(({ pid }) => pid === process.parent)
  // Our own start, which is a shell of the user's as soon as the agent has ended.
  const isResumed = parent !== undefined && parent.pid === card.pid && isLoginRoot(parent.argv)
  if (isResumed && restore.kind === 'conversation' && restore.agent === agent.id) return restore.argv
  const started = [card.command, ...card.args]
  const isOwn = process.pid === card.pid && agentOfProcess({ ...process, name: '', executable: null, argv: started }, [agent]) !== null
  return isOwn ? started : process.argv
}
