import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The private memory of a process; macOS says it through ps. */
export function residentBytes(pid: number): number {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /^RssAnon:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) * 1024
}
