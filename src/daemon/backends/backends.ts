/** Which backend has, or is to have, the program of a terminal. */
import type { HolderCard } from '../../wire/holder.ts'
import type { Terminal } from '../../workspace/terminal.ts'
import type { Backend, Survivor } from './backend.ts'
import { guestBackend } from './guestBackend.ts'
import { holderBackend } from './holderBackend.ts'
import type { Surroundings } from './throughHolder.ts'
import { tmuxBackend } from './tmuxBackend.ts'

export class Backends {
  readonly holder: Backend
  readonly tmux: Backend
  /** Why programs that were to be in tmux are not; null while nothing is wrong. */
  trouble: string | null = null

  constructor(private readonly surroundings: Surroundings) {
    this.holder = holderBackend(surroundings)
    this.tmux = tmuxBackend(surroundings)
  }

  /** Where tmux is missing or too old, our holders take over, and it is said. A guest has no other home. */
  async toStart({ spec }: Pick<Terminal, 'spec'>): Promise<Backend> {
    if (spec.backend === undefined) return this.holder
    if (spec.backend.kind === 'guest') return guestBackend(this.surroundings, spec.backend)
    const obstacle = await this.tmux.obstacle()
    this.trouble = obstacle === null ? null : `programs that were to be in tmux are held by Holdfast itself: ${obstacle}`
    return obstacle === null ? this.tmux : this.holder
  }

  async survivors(dead: readonly HolderCard[]): Promise<readonly Survivor[]> {
    const found = await Promise.all([this.tmux.survivors(dead), guestBackend(this.surroundings, null).survivors(dead)])
    return found.flat()
  }
}
