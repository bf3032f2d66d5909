/** The part of the daemon's log that the web server needs. No address, header or body ever reaches it. */
export type WebLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}
