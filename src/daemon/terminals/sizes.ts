/**
 * Gives each terminal the size that `sizing` decides. Programs repaint everything at each size, so of many in a row the
 * first is carried out at once and then only the last; and one that the terminal has already, never.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import {
  decideSize,
  isSameSize,
  newSizing,
  type SizedBy,
  type SizePolicy,
  type Sizing,
  type SizingEvent,
  stepSizing,
  type Verdict,
} from '../../workspace/terminal/sizing.ts'
import { isGuest, type Live, type Size, type Terminal } from '../../workspace/terminal/terminal.ts'

const SETTLED_AFTER_MS = 75

export type SizesWorld = {
  terminal(id: TerminalId): Terminal | null
  /** Changes the size at once, also in the record; false when the holder cannot hear it. */
  resize(id: TerminalId, run: RunId, size: Size): boolean
  announce(id: TerminalId): void
  /** Whether clients of the daemon before this one may still be on their way back to this terminal. */
  isComingBack(terminal: Live): boolean
}

export class Sizes {
  private readonly sizings = new Map<TerminalId, Sizing>()
  private readonly settling = new Map<TerminalId, NodeJS.Timeout>()

  constructor(
    private policy: SizePolicy,
    private readonly world: SizesWorld,
  ) {}

  sizedBy(id: TerminalId): SizedBy {
    return this.decide(id, this.of(id)).by
  }

  /** Whether somebody looks at it through a place that is visible. */
  isSeen(id: TerminalId): boolean {
    return this.of(id).places.some(({ size }) => size !== null)
  }

  happened(id: TerminalId, event: SizingEvent): void {
    const terminal = this.world.terminal(id)
    if (terminal === null) return
    const before = this.of(id)
    const after = stepSizing(before, event, terminal.spec.size)
    if (after === before) return
    this.sizings.set(id, after)
    if (this.settling.has(id)) this.settleLater(id)
    else this.follow(id)
    if (!sameValue(this.decide(id, after).by, this.decide(id, before).by)) this.world.announce(id)
  }

  /** Whatever is decided otherwise: somebody asked for exactly this size. False when the holder cannot hear it. */
  setByHand(id: TerminalId, size: Size): boolean {
    const terminal = this.connected(id)
    if (terminal === null) return false
    if (!isSameSize(size, terminal.spec.size) && !this.world.resize(id, terminal.run, size)) return false
    this.happened(id, { kind: 'setByHand' })
    return true
  }

  gone(client: number): void {
    for (const id of this.sizings.keys()) this.happened(id, { kind: 'leaves', client })
  }

  setPolicy(policy: SizePolicy): void {
    if (policy === this.policy) return
    this.policy = policy
    for (const id of this.sizings.keys()) this.happened(id, { kind: 'policyChanged', policy })
  }

  /** The size that a program which is about to start should have, or null for the one it had. */
  wanted(id: TerminalId): Size | null {
    return this.decide(id, this.of(id)).size
  }

  /** Called with every change of a terminal: one that has come to life, or back, may have missed its size. */
  follow(id: TerminalId): void {
    if (this.world.terminal(id) === null) return this.forget(id)
    if (!this.settling.has(id) && this.carryOut(id)) this.settleLater(id)
  }

  private decide(id: TerminalId, sizing: Sizing): Verdict {
    const terminal = this.world.terminal(id)
    return terminal !== null && isGuest(terminal) ? { size: null, by: { kind: 'tmux' } } : decideSize(sizing)
  }

  private of(id: TerminalId): Sizing {
    return this.sizings.get(id) ?? newSizing(this.policy)
  }

  private forget(id: TerminalId): void {
    clearTimeout(this.settling.get(id))
    this.settling.delete(id)
    this.sizings.delete(id)
  }

  private settleLater(id: TerminalId): void {
    clearTimeout(this.settling.get(id))
    const settle = (): void => {
      this.settling.delete(id)
      this.follow(id)
    }
    this.settling.set(id, setTimeout(settle, SETTLED_AFTER_MS).unref())
  }

  /** True when something was done, or has to wait. */
  private carryOut(id: TerminalId): boolean {
    const terminal = this.connected(id)
    const size = this.wanted(id)
    if (terminal === null || size === null || isSameSize(size, terminal.spec.size)) return false
    if (this.policy === 'smallest' && isLarger(size, terminal.spec.size) && this.world.isComingBack(terminal)) return true
    return this.world.resize(id, terminal.run, size)
  }

  private connected(id: TerminalId): Live | null {
    const terminal = this.world.terminal(id)
    return terminal?.state === 'live' && terminal.link.kind === 'connected' ? terminal : null
  }
}

const isLarger = (a: Size, b: Size): boolean => a.cols > b.cols || a.rows > b.rows
