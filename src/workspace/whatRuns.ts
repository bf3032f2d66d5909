import type { ProcessSight } from '../agents/agent.ts'
import { baseName } from '../agents/program.ts'
import { commandText } from './commandText.ts'
import { isPlainShell } from './plainShell.ts'
import { safeText } from './text.ts'

/** What runs in a terminal, as far as that can be seen: what would be lost if it ended. */
export type Running = {
  /** What has the keyboard, as a command line to be read; null where that is a shell at its prompt. */
  readonly program: string | null
  /** How many processes there are besides that and the shell it was started from. */
  readonly others: number
}

export type Sighting = {
  /** The terminal's program and everybody below it. */
  readonly processes: readonly ProcessSight[]
  readonly root: number
  /** The process group that has the keyboard. */
  readonly group: number
}

const LONGEST_PROGRAM = 120
/** Prompts keep these beside a shell for as long as it runs; nobody would miss them. */
const PROMPT_HELPER = /^(gitstatusd|starship)/

export function whatRuns({ processes, root, group }: Sighting): Running {
  const top = processes.find(({ pid }) => pid === root)
  const front = processes.find(({ pid }) => pid === group) ?? processes.find((process) => process.group === group) ?? top
  const isWorth = (process: ProcessSight): boolean => process.pid !== root && process.pid !== front?.pid && !isOfPrompt(process, top)
  const isAtPrompt = front === undefined || (front.pid === root && isPlainShell(front.argv))
  return { program: isAtPrompt ? null : textOf(front), others: processes.filter(isWorth).length }
}

/** A copy of the shell itself that draws its prompt in the background has its very command line. */
function isOfPrompt({ name, argv }: ProcessSight, top: ProcessSight | undefined): boolean {
  if (PROMPT_HELPER.test(baseName(argv[0] ?? name))) return true
  return top !== undefined && isPlainShell(top.argv) && argv.join('\0') === top.argv.join('\0')
}

function textOf({ name, argv: [command = name, ...args] }: ProcessSight): string {
  return safeText(commandText(baseName(command), args), LONGEST_PROGRAM)
}
