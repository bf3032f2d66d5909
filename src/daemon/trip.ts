/**
 * Trip points: a test names one in HOLDFAST_TRIP (`POINT`, or `POINT#3` for the third pass), and the daemon dies there as if the power had gone, or takes the way that
 * a fault would make it take.
 */
import { existsSync } from 'node:fs'
import { tripWire } from '../base/tripWire.ts'

const wanted = process.env['HOLDFAST_TRIP']
const isReached = tripWire(wanted)

export function trip(point: string): void {
  if (isReached(point)) process.kill(process.pid, 'SIGKILL')
}

/** A test holds the daemon here until the file is there that it names: `POINT=/path`. Meanwhile others may come by. */
export async function holdAt(point: string): Promise<void> {
  const file = wanted?.startsWith(`${point}=`) === true ? wanted.slice(point.length + 1) : null
  while (file !== null && !existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20))
}

export const isTripped = (point: string): boolean => wanted === point
