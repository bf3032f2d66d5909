/**
 * A terminal followed on a channel that can be replaced by one with more history while bytes keep coming. The new one takes
 * over at the very byte that the old one has reached: both drawings are the same then, but for what is above.
 */
import type { Afresh, Channel, ChannelHandlers, ChannelSnapshot } from '../../client/channel.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Size } from '../../workspace/terminal.ts'

export type Piece = { readonly kind: 'output'; readonly bytes: Uint8Array } | { readonly kind: 'resized'; readonly size: Size }

export type DeepHandlers = ChannelHandlers & {
  /** In place of everything drawn so far, `since` included, which is what followed the snapshot until now. */
  onDeepened(snapshot: ChannelSnapshot, since: readonly Piece[]): void
  /** It will not come: there is only what there is. */
  onNotDeepened(): void
}

type Client = Pick<DaemonClient, 'openChannel'>
type DeepOptions = {
  readonly client: Client
  readonly terminal: string
  readonly window: number
  readonly history: number
  readonly handlers: DeepHandlers
}

/** A channel that is not shown yet: what it has brought so far. */
type Deeper = { readonly channel: Channel; snapshot: ChannelSnapshot | null; pieces: Piece[]; seq: number }

const NOTHING = (): void => undefined

export class DeepChannel {
  private readonly options: DeepOptions
  private channel: Channel
  private deeper: Deeper | null = null
  /** How far the drawing is; null before the first snapshot. */
  private seq: number | null = null
  private isClosed = false

  constructor(options: DeepOptions) {
    this.options = options
    this.channel = this.openShown(options.history)
  }

  input(bytes: Uint8Array): void {
    this.channel.input(bytes)
  }

  /** Nothing is sent until `resume`. */
  pause(): void {
    this.channel.pause()
    this.deeper?.channel.pause()
  }

  /** Goes on where it stopped, or with a snapshot of how it is by then. */
  resume(afresh?: Afresh): void {
    this.channel.resume(afresh)
    this.deeper?.channel.resume()
  }

  close(): void {
    this.isClosed = true
    this.channel.close()
    this.deeper?.channel.close()
    this.deeper = null
  }

  /** Asks for a drawing with so many rows of history; the last wish counts. */
  deepen(history: number): void {
    this.deeper?.channel.close()
    this.deeper = null
    if (this.isClosed) return
    const { client, terminal, window } = this.options
    let mine: Channel | null = null
    const isShown = (): boolean => mine !== null && mine === this.channel
    mine = client.openChannel({ terminal, window, history, handlers: this.handlersOf(isShown) })
    this.deeper = { channel: mine, snapshot: null, pieces: [], seq: 0 }
  }

  private openShown(history: number): Channel {
    const { client, terminal, window } = this.options
    let mine: Channel | null = null
    mine = client.openChannel({ terminal, window, history, handlers: this.handlersOf(() => mine === null || mine === this.channel) })
    return mine
  }

  /** One and the same channel first brings what is not shown yet, and later everything. */
  private handlersOf(isShown: () => boolean): ChannelHandlers {
    const { handlers } = this.options
    return {
      onSnapshot: (snapshot) => (isShown() ? this.takeSnapshot(snapshot) : this.takeDeeper(snapshot)),
      onOutput: (bytes, consumed) => {
        if (isShown()) return this.takeOutput(bytes, consumed)
        this.collect({ kind: 'output', bytes: bytes.slice() }, bytes.length)
        consumed()
      },
      onResized: (size) => (isShown() ? handlers.onResized(size) : this.collect({ kind: 'resized', size }, 0)),
      onExited: (status) => (isShown() ? handlers.onExited(status) : undefined), // the one that is shown says it, too
      onLink: (connected, why) => (isShown() ? handlers.onLink(connected, why) : undefined),
      onRefused: (refusal) => (isShown() ? this.takeRefused(refusal) : this.giveUp()),
      onCaughtUp: () => (isShown() ? handlers.onCaughtUp?.() : undefined), // the one that is shown has been so for long
    }
  }

  private takeSnapshot(snapshot: ChannelSnapshot): void {
    this.seq = snapshot.seq
    this.options.handlers.onSnapshot(snapshot)
    this.tryToHandOver()
  }

  private takeOutput(bytes: Uint8Array, consumed: () => void): void {
    this.seq = (this.seq ?? 0) + bytes.length
    this.options.handlers.onOutput(bytes, consumed)
    this.tryToHandOver()
  }

  private takeRefused(refusal: Parameters<ChannelHandlers['onRefused']>[0]): void {
    this.giveUp()
    this.options.handlers.onRefused(refusal)
  }

  private takeDeeper(snapshot: ChannelSnapshot): void {
    const { deeper } = this
    if (deeper === null) return
    deeper.snapshot = snapshot
    deeper.pieces = []
    deeper.seq = snapshot.seq
    this.tryToHandOver()
  }

  private collect(piece: Piece, length: number): void {
    if (this.deeper === null) return
    this.deeper.pieces.push(piece)
    this.deeper.seq += length
    this.tryToHandOver()
  }

  private giveUp(): void {
    if (this.deeper === null) return
    this.deeper.channel.close()
    this.deeper = null
    this.options.handlers.onNotDeepened()
  }

  private tryToHandOver(): void {
    const { deeper } = this
    if (deeper?.snapshot == null || this.seq === null) return
    const { snapshot } = deeper
    // Who is behind catches up: both are sent the same bytes.
    if (snapshot.live && (this.seq < snapshot.seq || deeper.seq < this.seq)) return
    const at = snapshot.live ? this.seq : snapshot.seq
    const { before, after } = splitAt(deeper.pieces, at - snapshot.seq)
    this.channel.close()
    this.channel = deeper.channel
    this.deeper = null
    this.seq = at
    this.options.handlers.onDeepened(snapshot, before)
    for (const piece of after) {
      if (piece.kind === 'output') this.takeOutput(piece.bytes, NOTHING)
      else this.options.handlers.onResized(piece.size)
    }
  }
}

/** A size that comes exactly there belongs to what is before: the drawing has it, or has it in a moment. */
function splitAt(pieces: readonly Piece[], length: number): { readonly before: readonly Piece[]; readonly after: readonly Piece[] } {
  const before: Piece[] = []
  const after: Piece[] = []
  let left = length
  for (const piece of pieces) {
    if (piece.kind === 'resized') (after.length === 0 ? before : after).push(piece)
    else if (piece.bytes.length <= left) before.push(piece)
    else {
      if (left > 0) before.push({ kind: 'output', bytes: piece.bytes.subarray(0, left) })
      after.push({ kind: 'output', bytes: piece.bytes.subarray(Math.max(0, left)) })
    }
    if (piece.kind === 'output') left = Math.max(0, left - piece.bytes.length)
  }
  return { before, after }
}
