/**
 * Handlers: what the daemon does for each command of `wire/commands.ts`, one file per noun. A handler takes the parts of the daemon that
 * it names (`world.ts`), its parameters, and the client that asked; it answers with a result or a refusal. This folder is above all
 * others: nothing but the composition imports it. Start here: the table of all handlers. The compiler rejects a missing one.
 */
import type { CommandName } from '../../wire/commands/commands.ts'
import type { AnswerCommand, Handler } from '../clients/handler.ts'
import { agentHandlers } from './agent.ts'
import { checkpointHandlers } from './checkpoint.ts'
import { configHandlers } from './config.ts'
import { daemonHandlers } from './daemon.ts'
import { deviceHandlers } from './device.ts'
import { directoryHandlers } from './directory.ts'
import { groupHandlers } from './group.ts'
import { layoutHandlers } from './layout.ts'
import { restoreHandlers } from './restore.ts'
import { searchQuery } from './search.ts'
import { adoptTerminals } from './terminal.adopt.ts'
import { closeHandlers } from './terminal.close.ts'
import { createTerminal } from './terminal.new.ts'
import { openHandlers } from './terminal.open.ts'
import { readHandlers } from './terminal.read.ts'
import { inputHandlers } from './terminal.send.ts'
import { settingHandlers } from './terminal.settings.ts'
import { sleepTerminal } from './terminal.sleep.ts'
import { waitForTerminal } from './terminal.wait.ts'
import { wakeTerminal } from './terminal.wake.ts'
import { exchangeHandlers } from './workspace.exchange.ts'
import { startOver } from './workspace.startOver.ts'
import { workspaceHandlers } from './workspace.ts'

const HANDLERS = {
  ...agentHandlers,
  ...checkpointHandlers,
  ...closeHandlers,
  ...configHandlers,
  ...daemonHandlers,
  ...deviceHandlers,
  ...directoryHandlers,
  ...exchangeHandlers,
  ...groupHandlers,
  ...inputHandlers,
  ...layoutHandlers,
  ...openHandlers,
  ...readHandlers,
  ...restoreHandlers,
  ...settingHandlers,
  ...workspaceHandlers,
  'search.query': searchQuery,
  'terminal.adopt': adoptTerminals,
  'terminal.new': createTerminal,
  'terminal.sleep': sleepTerminal,
  'terminal.wait': waitForTerminal,
  'terminal.wake': wakeTerminal,
  'workspace.startOver': startOver,
} satisfies { readonly [Name in CommandName]: Handler<Name, never> }

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (both: infer All) => void ? All : never

/** The parts that all handlers need together. */
type World = Both<Parameters<(typeof HANDLERS)[CommandName]>[0]>

export const answerWith =
  (daemon: World): AnswerCommand =>
  (command, params, client) =>
    (HANDLERS[command] as Handler<CommandName, World>)(daemon, params, client)
