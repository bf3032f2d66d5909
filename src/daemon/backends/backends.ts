/**
 * Backends: how programs are started so that they outlive the daemon. Each program gets a holder in front, so that everything above
 * speaks one protocol; the holder has the program's PTY itself, or a pane of tmux that keeps running without it. Orders come in from
 * terminals/effects.ts, survivors go out to boot. Start here: which backend starts the program of a terminal. `holders.ts` has the
 * links to all holders.
 */
import { installedTmux } from '../../tmux/run.ts'
import { findGuest } from '../../tmux/server.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { SpecBackend, Terminal } from '../../workspace/terminal/terminal.ts'
import { adoptInTmux, type Backend, type BackendWorld, holderBackend, type Survivor } from './backend.ts'
import { startProgram } from './startHolder.ts'
import { tmuxBackend } from './tmuxBackend.ts'

export class Backends {
  readonly holder: Backend
  readonly tmux: Backend
  /** Why programs that belong into tmux run in holders; null while they do not. */
  trouble: string | null = null

  constructor(private readonly world: BackendWorld) {
    this.holder = holderBackend(world)
    this.tmux = tmuxBackend(world)
  }

  /** Where tmux is missing or too old, holders take over, and `trouble` says so. A guest cannot run elsewhere. */
  async toStart({ spec }: Pick<Terminal, 'spec'>): Promise<Backend> {
    if (spec.backend === undefined) return this.holder
    if (spec.backend.kind === 'guest') return guestBackend(this.world, spec.backend)
    const obstacle = await this.tmux.obstacle()
    this.trouble = obstacle === null ? null : `new programs run in holders instead of tmux: ${obstacle}`
    return obstacle === null ? this.tmux : this.holder
  }

  async survivors(dead: readonly HolderCard[]): Promise<readonly Survivor[]> {
    return (await Promise.all([this.tmux.survivors(dead), survivingGuests(dead)])).flat()
  }
}

type Guest = Extract<SpecBackend, { kind: 'guest' }>

/** A pane of the user's own tmux, shown and typed into where it is. Letting it go ends nothing. */
const guestBackend = (world: BackendWorld, { socket, pane, pid }: Guest): Backend => ({
  kind: 'guest',
  async obstacle() {
    const installed = await installedTmux()
    return installed.ok ? null : installed.why
  },
  spawn: (order) => startProgram(world, order, { kind: 'guest', socket, pane, pid }),
  adopt: (card) => adoptInTmux(world, card),
  survivors: survivingGuests,
})

async function survivingGuests(dead: readonly HolderCard[]): Promise<readonly Survivor[]> {
  const found = await Promise.all(
    dead.map(async (card): Promise<readonly Survivor[]> => {
      if (card.tmux?.kind !== 'guest') return []
      const state = await findGuest(card.tmux.socket, { pane: card.tmux.pane, pid: card.pid })
      return state === 'gone' ? [] : [{ card, state: state === 'there' ? 'runs' : 'unknown' }]
    }),
  )
  return found.flat()
}
