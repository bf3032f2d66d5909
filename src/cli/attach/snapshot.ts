/** The daemon's snapshot of a terminal, which is painted before the bytes after it, and where those begin. */
import type { Result } from '../../base/refusal.ts'
import type { DaemonClient, Reply } from '../../client/daemonClient.ts'
import { isSameSize } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Position } from './follower.ts'

/** How long the daemon's screen may take to follow a change of size before it is painted as it is. */
const RESIZED_WITHIN_MS = 60
const LOOK_AGAIN_MS = 6

export type Snapshot = Reply<'terminal.attach'>

type Wanted = { readonly terminal: string; readonly size: Size | null; readonly history: number }

/** At this size, if the daemon's screen gets there in time. */
export async function snapshotOf(client: DaemonClient, { terminal, size, history }: Wanted): Promise<Result<Snapshot>> {
  const deadline = Date.now() + RESIZED_WITHIN_MS
  for (;;) {
    const snapshot = await client.request('terminal.attach', { terminal, history })
    if (!snapshot.ok || size === null || isSameSize(snapshot.value.result.size, size) || Date.now() > deadline) return snapshot
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

export const positionOf = ({ result }: Snapshot): Position => ({ socketPath: result.socketPath, run: result.run, seq: result.seq })
