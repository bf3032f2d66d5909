/**
 * The newest output in memory, cut into blocks at multiples of their size, so that any seq is found by arithmetic.
 * Blocks are reused: what is read here must be copied before the next append.
 */
export const BLOCK_BYTES = 64 << 10
/** Enough to ride out the difference between two appends; more would be held for nothing while idle. */
const SPARE_BLOCKS = 2

export class Tail {
  /** How many bytes there have been. */
  head = 0
  private readonly blocks: Uint8Array[] = []
  private readonly spare: Uint8Array[] = []
  /** The number of the first block that is still here. */
  private first = 0

  get oldest(): number {
    return this.first * BLOCK_BYTES
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const offset = this.head % BLOCK_BYTES
      const block = offset === 0 ? this.nextBlock() : this.blocks.at(-1)
      if (block === undefined) throw new Error('the newest block is missing')
      const count = Math.min(bytes.length - at, BLOCK_BYTES - offset)
      block.set(bytes.subarray(at, at + count), offset)
      this.head += count
      at += count
    }
  }

  /** The bytes from the head to `seq` are gone; what is kept begins there. Blocks are found by arithmetic: `seq` is a multiple of their size. */
  skipTo(seq: number): void {
    this.blocks.length = 0
    this.first = seq / BLOCK_BYTES
    this.head = seq
  }

  /** At most `limit` bytes from `seq`, which must not be older than `oldest`; they may end before the head. */
  view(seq: number, limit: number): Uint8Array {
    const block = this.blocks[Math.floor(seq / BLOCK_BYTES) - this.first]
    if (block === undefined) throw new Error(`seq ${seq} is not in memory`)
    const offset = seq % BLOCK_BYTES
    return block.subarray(offset, Math.min(BLOCK_BYTES, offset + limit, offset + this.head - seq))
  }

  /** Lets go of blocks that hold nothing at or after `seq`; the one being filled stays. */
  dropBefore(seq: number): void {
    while (this.blocks.length > 1 && (this.first + 1) * BLOCK_BYTES <= seq) {
      const block = this.blocks.shift()
      if (block !== undefined && this.spare.length < SPARE_BLOCKS) this.spare.push(block)
      this.first += 1
    }
  }

  private nextBlock(): Uint8Array {
    const block = this.spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.blocks.push(block)
    return block
  }
}
