/**
 * src/wire/commands: every command of the daemon is one row: name, parameters, result, help, whether it changes anything, and what a
 * peer must be allowed (row.ts). The daemon has one handler per row; the CLI and the page call the same rows.
 */
import type { z } from 'zod'
import { agentCommands } from './agent.ts'
import { checkpointCommands } from './checkpoint.ts'
import { closingCommands } from './closing.ts'
import { configCommands } from './config.ts'
import { daemonCommands, healthCommands, recoveryCommands } from './daemon.ts'
import { deviceCommands } from './device.ts'
import { directoryCommands } from './directory.ts'
import { forgetCommands } from './forget.ts'
import { searchCommands } from './search.ts'
import { terminalCommands } from './terminal.ts'
import { workspaceCommands } from './workspace.ts'

export const COMMANDS = {
  ...terminalCommands,
  ...closingCommands,
  ...forgetCommands,
  ...agentCommands,
  ...workspaceCommands,
  ...directoryCommands,
  ...checkpointCommands,
  ...recoveryCommands,
  ...searchCommands,
  ...healthCommands,
  ...configCommands,
  ...daemonCommands,
  ...deviceCommands,
} as const

export type DecodedParams = { readonly ok: true; readonly params: unknown } | { readonly ok: false; readonly why: string }

/** Never throws: a schema itself may, on values that cannot be compared (`{"length": {"toString": 0, "valueOf": 0}}`). */
export function decodeParams(command: CommandName, given: unknown): DecodedParams {
  try {
    const decoded = COMMANDS[command].params.safeParse(given)
    if (decoded.success) return { ok: true, params: decoded.data }
    const problem = decoded.error.issues[0]
    return { ok: false, why: `${problem?.path.join('.') ?? ''} ${problem?.message ?? ''}`.trim() }
  } catch {
    return { ok: false, why: 'one of them has a shape that cannot be read' }
  }
}

export type CommandName = keyof typeof COMMANDS
export type Params<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['params']>
export type Outcome<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['result']>
