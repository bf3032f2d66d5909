/** Trip points: a test names one in HOLDFAST_TRIP, and the holder dies there as if by `kill -9`. */
export type TripPoint =
  | 'holder:before-card'
  | 'holder:after-card'
  | 'holder:mid-flush'
  | 'holder:before-rotate'
  | 'holder:after-exit-record'

const wanted = process.env['HOLDFAST_TRIP']

export const isArmed = (point: TripPoint): boolean => wanted === point

export function trip(point: TripPoint): void {
  if (wanted === point) process.kill(process.pid, 'SIGKILL')
}
