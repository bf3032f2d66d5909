/**
 * Below all other rooms of the daemon: its log, its card, trip points for tests, and the watch of a directory. They import no other room.
 * Here: the log file, one JSON object per line, rotated by size. A full disk costs log lines, nothing else.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { pino } from 'pino'

export type Log = pino.Logger

/** The part of the log that the web server and its devices get. No address, header or body ever reaches it. */
export type WebLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

const ROTATE_AT_BYTES = 5 << 20 // two files of this size hold weeks of a busy workspace

export function openLog(file: string, level: string): Log {
  let size = sizeOf(file)
  const write = (line: string): void => {
    try {
      if (size > ROTATE_AT_BYTES) {
        renameSync(file, `${file}.1`)
        size = 0
      }
      appendFileSync(file, line, { mode: 0o600 })
      size += line.length
    } catch {
      // A failing log is not a reason to fail: `doctor` looks at the disk itself.
    }
  }
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
