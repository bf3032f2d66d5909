/**
 * Trip points: a test names one in HOLDFAST_TRIP (`POINT`, or `POINT#3` for the third pass), and the daemon dies there as if the power had gone, or takes the way that
 * a fault would make it take. `hold:POINT=FILE` holds it there, each time it comes by, until FILE is there; who arrives leaves a
 * line in FILE.arrived.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { tripWire } from '../../base/tripWire.ts'

const wanted = process.env['HOLDFAST_TRIP']
const isReached = tripWire(wanted)

export function trip(point: string): void {
  if (isReached(point)) process.kill(process.pid, 'SIGKILL')
}

export const isTripped = (point: string): boolean => wanted === point

const HOLD = /^hold:(.+?)=(.+)$/s.exec(wanted ?? '')
const LOOK_AGAIN_MS = 10

export async function hold(point: string): Promise<void> {
  const [, held, file = ''] = HOLD ?? []
  if (held !== point) return
  appendFileSync(`${file}.arrived`, `${point}\n`)
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
}
