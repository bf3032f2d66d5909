import type { CheckpointId, TerminalId } from '../../base/ids.ts'
import { emptyTopology } from '../layout/topology.ts'
import type { HostId } from './checkpointHost.ts'
import type { RestorePlan } from './planRestore.ts'
import type { Spare } from './planRestoreTopology.ts'

/** What is typed to say that it is meant. */
export const START_OVER = 'start over'

type Start = {
  readonly terminals: readonly TerminalId[]
  readonly checkpoint: { readonly id: CheckpointId; readonly at: number }
  readonly spare: Spare
  readonly host: HostId
}

/** A restore of nothing at all: every terminal is forgotten, and the layout is a new one. */
export function planStartOver({ terminals, checkpoint, spare, host }: Start): RestorePlan {
  return {
    checkpoint: { ...checkpoint, kind: 'before-destructive', note: null },
    only: null,
    steps: terminals.map((id) => ({ kind: 'forget', id, why: 'everything begins anew' })),
    topology: emptyTopology(spare),
    wakes: [],
    notWoken: [],
    host: { id: host, isSame: true },
    missingPaths: [],
  }
}
