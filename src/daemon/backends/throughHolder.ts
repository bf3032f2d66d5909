/** What is the same whoever has the program: it is spoken to through its holder. */
import { linkHolder } from '../../client/holderLink.ts'
import type { HolderCard, HolderOrder } from '../../wire/holder.ts'
import { type Paths, runDirectory, runSocket } from '../../wire/paths.ts'
import { type Holders, isHolderAlive } from '../holders.ts'
import { type Started, startHolder } from '../startHolder.ts'
import type { Backend, ProgramOrder } from './backend.ts'

const SEGMENTS = 2

export type Surroundings = { readonly paths: Paths; readonly holders: Holders; readonly logBytes: () => number }

type Spoken = Pick<Backend, 'adopt' | 'streamFrom' | 'input' | 'resize' | 'signal' | 'status'>

export const throughHolder = ({ holders }: Surroundings): Spoken => ({
  adopt: (card) => (isHolderAlive(card) || card.tmux === undefined ? holders.adopt(card) : Promise.resolve(holders.adoptUnattached(card))),
  async streamFrom(run, { from, window, ...handlers }) {
    await holders.ensure(run)
    const card = holders.card(run)
    if (card === null) return { why: 'it has no holder' }
    const linking = await linkHolder({ socketPath: card.socketPath, who: 'stream', handlers })
    if (linking.kind !== 'linked') return { why: linking.kind === 'unreachable' ? linking.why : `its holder speaks ${linking.speaks}` }
    linking.link.send({ kind: 'subscribe', subscribe: { from, window, follow: true } })
    return linking.link
  },
  input: (run, bytes) => holders.send(run, { kind: 'input', bytes }),
  resize: (run, size) => holders.send(run, { kind: 'resize', size }),
  signal: (run, request) => holders.send(run, { kind: 'signal', request }),
  status: (run, withinMs) => holders.refresh(run, withinMs),
})

/** Where everything of a run is. */
export function orderFor({ paths, logBytes }: Surroundings, order: ProgramOrder): HolderOrder {
  return {
    ...order,
    runDirectory: runDirectory(paths, order.run),
    socketPath: runSocket(paths, order.run),
    segmentBytes: Math.floor(logBytes() / SEGMENTS),
  }
}

export const start = ({ paths }: Surroundings, order: HolderOrder): Promise<Started> =>
  startHolder(order, { home: paths.home, errorLog: paths.holdersLog })

/** What was ordered once, for a holder that takes over; the environment is its program's alone, and kept by nobody. */
export function orderAgain(surroundings: Surroundings, card: HolderCard): HolderOrder {
  const { terminal, run, command, args, cwd, size, journal } = card
  return orderFor(surroundings, { terminal, run, command, args, cwd, size, env: {}, ...(journal === undefined ? {} : { journal }) })
}
