/** Everything that reads what others have written. A new reader gets a row here; both the test line and `npm run fuzz` run it. */
import type { FuzzTarget } from './target.ts'
import { agentFiles, agents } from './targets/agents.ts'
import { config } from './targets/config.ts'
import { exportFile } from './targets/exportFile.ts'
import { hooks } from './targets/hooks.ts'
import { log } from './targets/log.ts'
import { clientMessages, holderMessages } from './targets/messages.ts'
import { screen } from './targets/screen.ts'
import { snapshot } from './targets/snapshot.ts'

export const TARGETS: readonly FuzzTarget[] = [
  ...[screen, clientMessages, holderMessages, log, snapshot, exportFile, config, agents, agentFiles, hooks],
]
