/** Panes of the user's own tmux: shown and typed into where they are at home. Letting one go ends nothing. */
import { installedTmux } from '../../tmux/run.ts'
import { findGuest } from '../../tmux/server.ts'
import type { SpecBackend } from '../../workspace/terminal.ts'
import type { Backend, Survivor } from './backend.ts'
import { orderFor, type Surroundings, start, throughHolder } from './throughHolder.ts'

export type Guest = Extract<SpecBackend, { kind: 'guest' }>

export const guestBackend = (surroundings: Surroundings, guest: Guest | null): Backend => ({
  kind: 'guest',
  async obstacle() {
    const installed = await installedTmux()
    return installed.ok ? null : installed.why
  },
  spawn(order) {
    if (guest === null) return Promise.resolve({ ok: false, reason: 'it is not said which pane' })
    const { socket, pane, pid } = guest
    return start(surroundings, { ...orderFor(surroundings, order), tmux: { kind: 'guest', socket, pane, pid } })
  },
  async survivors(dead) {
    const found = await Promise.all(
      dead.map(async (card): Promise<readonly Survivor[]> => {
        if (card.tmux?.kind !== 'guest') return []
        const state = await findGuest(card.tmux.socket, { pane: card.tmux.pane, pid: card.pid })
        return state === 'gone' ? [] : [{ card, state: state === 'there' ? 'runs' : 'unknown' }]
      }),
    )
    return found.flat()
  },
  ...throughHolder(surroundings),
})
