/** How a client reaches the daemon: the Unix socket, the page's WebSocket, or a test. Knows frames, nothing of their meaning. */
import type { Refusal } from '../base/refusal.ts'
import type { Frame } from '../wire/frames.ts'

export type Transport = {
  /** `frame` is length-prefixed as the encoders make it; a transport that frames by itself leaves the length out. */
  send(frame: Uint8Array<ArrayBuffer>): void
  close(): void
}

/** Given before the connection exists, so that no frame can arrive unheard. */
export type TransportHandlers = {
  onFrame(frame: Frame): void
  /** Once, also after `close`; never when connecting has failed. */
  onClose(why: string): void
}

/** What is there must not be spoken to; trying again would not help. */
export class ConnectRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Rejects if the connection fails. */
export type Connect = (handlers: TransportHandlers) => Promise<Transport>
