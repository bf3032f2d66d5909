/** Passes the user's input on at once, except for keys that detach or scroll. */
import type { DetachKeys } from './detachKeys.ts'

export type Typing = {
  readonly input: NodeJS.ReadableStream
  readonly keys: DetachKeys
  send(bytes: Uint8Array): void
  detached(): void
  /** From then on `send` gets the input of scroll mode. */
  scroll(): void
}

/** Returns the function that stops it. A closed input is the end of the user's terminal, and detaches too. */
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
