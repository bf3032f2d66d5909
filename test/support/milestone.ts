import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 20
const USUAL_MS = 20_000 // only a failure takes so long, or a machine that does much else

export type Waiting = {
  /** Completes the sentence "waited … for". */
  readonly what: string
  readonly timeoutMs?: number
}

/**
 * Waits until `predicate` gives something other than undefined, null or false, and returns that. A predicate that throws
 * has not been reached yet, so an `expect` may stand in it; its last complaint becomes the cause of the timeout.
 */
export async function until<Value>(
  predicate: () => Value | Promise<Value>,
  { what, timeoutMs = USUAL_MS }: Waiting,
): Promise<Exclude<Value, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const { value, cause } = await attempt(predicate)
    if (value !== undefined && value !== null && value !== false) return value as Exclude<Value, undefined | null | false>
    if (performance.now() > deadline) throw timedOut(what, timeoutMs, cause)
    await delay(POLL_MS)
  }
}

async function attempt<Value>(predicate: () => Value | Promise<Value>): Promise<{ value?: Value; cause?: unknown }> {
  try {
    return { value: await predicate() }
  } catch (cause) {
    return { cause }
  }
}

function timedOut(what: string, timeoutMs: number, cause: unknown): Error {
  const last = cause instanceof Error ? `; last: ${cause.message}` : ''
  return new Error(`waited ${timeoutMs} ms for ${what}${last}`, { cause })
}
