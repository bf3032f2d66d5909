/**
 * Trip points: a test names one in HOLDFAST_TRIP, and the daemon dies there as if the power had gone, or takes the way that
 * a fault would make it take.
 */
const wanted = process.env['HOLDFAST_TRIP']

export function trip(point: string): void {
  if (wanted === point) process.kill(process.pid, 'SIGKILL')
}

export const isTripped = (point: string): boolean => wanted === point
