/** A named moment inside a multi-step operation. Nothing happens there, except that a test can pull the plug. */
export type Trip = (point: string) => void

export const noTrip: Trip = () => undefined
