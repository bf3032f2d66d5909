/**
 * Every command of the daemon is one row: name, parameters, result, help, and whether it changes anything.
 * The daemon has one handler per row; the CLI and the page call the same rows.
 */
import type { z } from 'zod'
import { agentCommands } from './commands/agent.ts'
import { checkpointCommands } from './commands/checkpoint.ts'
import { closingCommands } from './commands/closing.ts'
import { configCommands } from './commands/config.ts'
import { daemonCommands } from './commands/daemon.ts'
import { deviceCommands } from './commands/device.ts'
import { directoryCommands } from './commands/directory.ts'
import { healthCommands } from './commands/health.ts'
import { recoveryCommands } from './commands/recovery.ts'
import { searchCommands } from './commands/search.ts'
import { terminalCommands } from './commands/terminal.ts'
import { workspaceCommands } from './commands/workspace.ts'

export const COMMANDS = {
  ...terminalCommands,
  ...closingCommands,
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

export type CommandName = keyof typeof COMMANDS
export type Params<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['params']>
export type Outcome<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['result']>
