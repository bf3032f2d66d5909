/** Trip points: a test names one in HOLDFAST_TRIP, and the holder dies there as if by `kill -9`. */
import { writeFileSync } from 'node:fs'
import { tripWire } from '../base/tripWire.ts'

export type TripPoint =
  | 'holder:before-card'
  | 'holder:after-card'
  | 'holder:mid-flush'
  | 'holder:before-rotate'
  | 'holder:mid-rotate'
  | 'holder:after-exit-record'
  | 'tmux:session-made'
  | 'tmux:program-started'

const wanted = process.env['HOLDFAST_TRIP']
const isReached = tripWire(wanted)

export const isArmed = (point: TripPoint): boolean => wanted === point

export function trip(point: TripPoint): void {
  if (isReached(point)) process.kill(process.pid, 'SIGKILL')
}

/** This trip point kills nothing: a simulated power cut must know what the disk had promised to keep, in bytes per segment. */
const isNoting = wanted === 'holder:note-synced'

export function noteSynced(path: string, bytes: number): void {
  if (isNoting) writeFileSync(`${path}.synced`, String(bytes))
}
