/** What the user types goes where it belongs at once, except for what may become a detach or the wish to scroll. */
import type { DetachKeys } from './detachKeys.ts'

export type Typing = {
  readonly input: NodeJS.ReadableStream
  readonly keys: DetachKeys
  send(bytes: Uint8Array): void
  detached(): void
  /** From then on `send` is given what is typed in scroll mode. */
  scroll(): void
}

/** Until the returned function is called. A closed input is the end of the user's terminal: that detaches too. */
export function typeInto({ input, keys, send, detached, scroll }: Typing): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const pass = (bytes: Uint8Array): void => {
    if (bytes.length > 0) send(bytes)
  }
  const handleData = (chunk: Uint8Array): void => {
    clearTimeout(timer)
    const step = keys.feed(chunk)
    pass(step.pass)
    if (step.detached) return detached()
    if (step.scrolls !== null) {
      scroll()
      return handleData(step.scrolls)
    }
    if (step.releaseInMs !== null) timer = setTimeout(() => pass(keys.release()), step.releaseInMs)
  }
  input.on('data', handleData)
  input.on('end', detached)
  input.resume()
  return () => {
    clearTimeout(timer)
    input.off('data', handleData)
    input.off('end', detached)
    input.pause()
  }
}
