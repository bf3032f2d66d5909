import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tripWire } from '../base/tripWire.ts'

/** A named moment inside a multi-step operation. Nothing happens there, except that a test can pull the plug. */
export type Trip = (point: string) => void

export const noTrip: Trip = () => undefined

/** In a running daemon the moments of the store are called `store:POINT`, and HOLDFAST_TRIP names the one to die at. */
export function armedTrip(armed: string | undefined = process.env['HOLDFAST_TRIP']): Trip {
  const isReached = tripWire(armed)
  return (point) => {
    if (isReached(`store:${point}`)) process.kill(process.pid, 'SIGKILL')
  }
}

/**
 * A thread of the daemon fails alone: with `HOLDFAST_TRIP=thread:FILE` the thread that FILE names (`store end`, `search hang`) does so at
 * its next question. The file is removed first, so that the next thread lives.
 */
export function armedThreadTrip(name: string, armed: string | undefined = process.env['HOLDFAST_TRIP']): () => void {
  const [, file] = /^thread:(.+)$/.exec(armed ?? '') ?? []
  if (file === undefined) return () => undefined
  return () => {
    const [wanted, how] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : []
    if (wanted !== name) return
    rmSync(file, { force: true })
    if (how === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    else process.exit(1)
  }
}
