/** What the main thread and its watchdog share: how often the one has moved, the most ticks it has missed, and whether the other is to end. */
export const BEATS = 0
export const MISSED = 1
export const IS_OVER = 2
export const SHARED_BYTES = 12

export type WatchdogSetup = {
  readonly shared: Int32Array<SharedArrayBuffer>
  readonly tickMs: number
  readonly fatalTicks: number
  readonly logFile: string
}
