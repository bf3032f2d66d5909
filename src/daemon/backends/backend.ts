/**
 * Who holds programs. With both there is a holder in front of each, so that everything above speaks one protocol: ours has
 * the program's terminal itself, the other one has a pane of tmux, which goes on without it.
 */
import type { RunId } from '../../base/ids.ts'
import type { HolderLink } from '../../client/holderLink.ts'
import type { FromHolder, HolderCard, HolderOrder, HolderStatus, SignalRequest } from '../../wire/holder.ts'
import type { Link, Size } from '../../workspace/terminal.ts'
import type { Started } from '../startHolder.ts'

/** What is to be started; where it is kept and reached follows from its run. */
export type ProgramOrder = Omit<HolderOrder, 'runDirectory' | 'socketPath' | 'segmentBytes' | 'tmux'>

export type Streaming = { readonly from: number; readonly window: number; message(message: FromHolder): void; closed(why: string): void }

export type Backend = {
  readonly kind: 'holder' | 'tmux' | 'guest'
  /** Why nothing can be started with it; null when it can. */
  obstacle(): Promise<string | null>
  /** Starts a program that outlives us. */
  spawn(order: ProgramOrder): Promise<Started>
  /** Of those whose holders are gone: which programs go on, and which may. */
  survivors(dead: readonly HolderCard[]): Promise<readonly Survivor[]>
  /** Again in touch with a program that somebody else has started. */
  adopt(card: HolderCard): Promise<Link>
  /** Its output from a seq on, then as it comes. */
  streamFrom(run: RunId, streaming: Streaming): Promise<HolderLink | { readonly why: string }>
  /** These three are false where there is nobody to hear it. */
  input(run: RunId, bytes: Uint8Array): boolean
  resize(run: RunId, size: Size): boolean
  signal(run: RunId, request: SignalRequest): boolean
  status(run: RunId, withinMs: number): Promise<HolderStatus | null>
}

export type Survivor = {
  readonly card: HolderCard
  /** `ended`: its program has ended, and only tmux knows how. `unknown`: tmux does not answer. */
  readonly state: 'runs' | 'ended' | 'unknown'
}
