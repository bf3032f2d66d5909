/** Keeps who draws by the graphics card as the pool decides, through contexts that are lost or cannot be had. */
import { MOST_CONTEXTS, NEW_SEAT, type Renderer, type Seat, type Seats, settle } from './glPool.ts'

export type GraphicsSeatsOptions = {
  /** False where it did not work. */
  readonly apply: (id: string, renderer: Renderer) => boolean
  /** Whether the browser has it at all; asked when it is wanted for the first time. */
  readonly isPossible: () => boolean
}

export class GraphicsSeats {
  private readonly options: GraphicsSeatsOptions
  private seats: Seats = new Map()
  private clock = 0

  constructor(options: GraphicsSeatsOptions) {
    this.options = options
  }

  /** How many are drawn by the graphics card. */
  get count(): number {
    return [...this.seats.values()].filter(({ renderer }) => renderer === 'gl').length
  }

  /** All that came into view or left it at the same moment. */
  seen(changes: Iterable<readonly [id: string, isInView: boolean]>): void {
    for (const [id, isInView] of changes) {
      const before = this.seats.get(id) ?? NEW_SEAT
      if (before.isInView !== isInView) this.change(id, { isInView, isSettled: false })
    }
    this.settle()
  }

  used(id: string): void {
    this.clock += 1
    this.change(id, { usedAt: this.clock })
  }

  /** The browser took its context away: it is drawn by the page from now on. */
  lost(id: string): void {
    this.change(id, { renderer: 'dom', isBarred: true })
  }

  forget(id: string): void {
    const rest = new Map(this.seats)
    rest.delete(id)
    this.seats = rest
  }

  private settle(): void {
    const before = this.seats
    this.seats = settle(before, this.options.isPossible() ? MOST_CONTEXTS : 0)
    const changed = [...this.seats].filter(([id, { renderer }]) => renderer !== (before.get(id) ?? NEW_SEAT).renderer)
    // What is taken must be free before it is given.
    for (const [id] of changed.filter(([, { renderer }]) => renderer === 'dom')) this.options.apply(id, 'dom')
    for (const [id] of changed.filter(([, { renderer }]) => renderer === 'gl')) if (!this.options.apply(id, 'gl')) this.lost(id)
  }

  private change(id: string, changes: Partial<Seat>): void {
    this.seats = new Map(this.seats).set(id, { ...(this.seats.get(id) ?? NEW_SEAT), ...changes })
  }
}
