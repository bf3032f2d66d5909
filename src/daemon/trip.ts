/**
 * Trip points: a test names one in HOLDFAST_TRIP (`POINT`, or `POINT#3` for the third pass), and the daemon dies there as if the power had gone, or takes the way that
 * a fault would make it take.
 */
import { tripWire } from '../base/tripWire.ts'

const wanted = process.env['HOLDFAST_TRIP']
const isReached = tripWire(wanted)

export function trip(point: string): void {
  if (isReached(point)) process.kill(process.pid, 'SIGKILL')
}

export const isTripped = (point: string): boolean => wanted === point
