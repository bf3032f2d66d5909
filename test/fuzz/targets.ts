/** Everything that reads what others have written. A new reader gets a row here; both the test line and `npm run fuzz` run it. */
import type { FuzzTarget } from './target.ts'
import { agentFiles, agents } from './targets/agents.ts'
import { config } from './targets/config.ts'
import { clientSocket, clientWebSocket } from './targets/doors.ts'
import { exportFile } from './targets/exportFile.ts'
import { holderSocket } from './targets/holderSocket.ts'
import { hooks } from './targets/hooks.ts'
import { log } from './targets/log.ts'
import { clientMessages, holderMessages } from './targets/messages.ts'
import { records } from './targets/records.ts'
import { screen } from './targets/screen.ts'
import { snapshot } from './targets/snapshot.ts'

export const TARGETS: readonly FuzzTarget[] = [
  ...[screen, clientMessages, holderMessages, log, snapshot, exportFile, config, agents, agentFiles, hooks, records],
  ...[clientSocket, clientWebSocket, holderSocket],
]
