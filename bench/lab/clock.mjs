/** Waiting: for a guess of time inside a measurement, for a milestone everywhere else. */
import { setTimeout as delay } from 'node:timers/promises'

const cell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread, without turning. */
export function pause(ms) {
  Atomics.wait(cell, 0, 0, ms)
}

export { delay }

/** Resolves with the first truthy answer of `look`. */
export async function until(look, { what, timeoutMs = 20_000, everyMs = 10 }) {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`)
    await delay(everyMs)
  }
}

/** `work`, or an error after `ms`; the work itself is not stopped. */
export async function within(ms, what, work) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${Math.round(ms / 1_000)} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
