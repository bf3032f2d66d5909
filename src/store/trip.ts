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
