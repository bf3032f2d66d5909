import { type Result, refusals, refused } from '../../base/refusal.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Registry } from './registry.ts'
import type { Waiting } from './waiting.ts'

/** After its grace a program is killed; this long until it must be gone. */
export const END_MARGIN_MS = 5_000

/** Why nobody can end the program of a terminal; null where that can be done. */
export function outOfReach({ id, ...terminal }: Terminal): ReturnType<typeof refused> | null {
  if (terminal.state !== 'live') return null
  if (terminal.link.kind === 'unreachable') return refused(refusals.holderUnreachable(id, terminal.link.why))
  return terminal.link.kind === 'incompatible' ? refused(refusals.holderIncompatible(id, terminal.link.speaks)) : null
}

type Surroundings = {
  readonly config: { readonly settleMs: number }
  readonly registry: Pick<Registry, 'apply'>
  readonly waiting: Pick<Waiting, 'ended'>
}

/** Resolves when its program, if any, has ended, and it is closed on disk, too. */
export async function endAndClose(daemon: Surroundings, id: Terminal['id']): Promise<Result<null>> {
  const graceMs = daemon.config.settleMs
  await daemon.registry.apply(id, { kind: 'closeAsked', graceMs })
  const isGone = await daemon.waiting.ended(id, (now) => now === null, graceMs + END_MARGIN_MS)
  return isGone ? { ok: true, value: null } : refused(refusals.busy(id, 'still ending'))
}
