/** What every backend can do, and the plainest one: a holder of our own. */
import type { HolderCard } from '../../wire/holder.ts'
import type { Link } from '../../workspace/terminal/terminal.ts'
import { type Holders, isHolderAlive } from './holders.ts'
import { type ProgramOrder, type Started, type Starting, startProgram } from './startHolder.ts'

/** The parts of the daemon that backends work on. */
export type BackendWorld = Starting & { readonly holders: Pick<Holders, 'card' | 'adopt' | 'adoptUnattached'> }

export type Backend = {
  readonly kind: 'holder' | 'tmux' | 'guest'
  /** Why it cannot start anything; null when it can. */
  obstacle(): Promise<string | null>
  /** Starts a program that outlives the daemon. */
  spawn(order: ProgramOrder): Promise<Started>
  /** Connects to the holder of a program. One in tmux may run without its holder. */
  adopt(card: HolderCard): Promise<Link>
  /** Of the runs whose holders are gone, those whose program runs or may run. */
  survivors(dead: readonly HolderCard[]): Promise<readonly Survivor[]>
}

export type Survivor = {
  readonly card: HolderCard
  /** `ended`: its program has ended, and only tmux knows how. `unknown`: tmux does not answer. */
  readonly state: 'runs' | 'ended' | 'unknown'
}

export const adoptInTmux = async ({ holders }: BackendWorld, card: HolderCard): Promise<Link> =>
  isHolderAlive(card) ? await holders.adopt(card) : holders.adoptUnattached(card)

/** Our own holders: they need nothing but the system, and a program lives as long as its holder. */
export const holderBackend = (world: BackendWorld): Backend => ({
  kind: 'holder',
  obstacle: () => Promise.resolve(null),
  spawn: (order) => startProgram(world, order),
  adopt: (card) => world.holders.adopt(card),
  survivors: () => Promise.resolve([]),
})
