/** What the parts about sleep see of the daemon. */
import type { TerminalId } from '../../base/ids.ts'
import type { Config } from '../../wire/config/config.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Agents } from '../agents/agents.ts'
import type { Repositories } from '../places/repositories.ts'
import type { SeenPrograms } from '../terminals/seen.ts'
import type { Waiting } from '../terminals/waiting.ts'
import type { Activity } from './activity.ts'

export type SleepWorld = {
  readonly config: Config
  readonly registry: {
    all(): readonly Terminal[]
    get(id: TerminalId): Terminal | null
    apply(id: TerminalId, event: TerminalEvent): Promise<void>
  }
  readonly agents: Pick<Agents, 'look' | 'of' | 'shown' | 'summary' | 'withSight'>
  readonly checkpoints: { readonly seen: Pick<SeenPrograms, 'of'>; lookAt(terminal: Terminal): Promise<unknown> }
  readonly repositories: Pick<Repositories, 'know' | 'of'>
  readonly activity: Pick<Activity, 'freeze' | 'look' | 'of'>
  readonly waiting: Pick<Waiting, 'ended' | 'until'>
}
