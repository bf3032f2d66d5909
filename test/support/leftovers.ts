import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { endProcess, processesMentioning, type SeenProcess } from './processes.ts'

const GRACE_MS = 3_000 // a program that was told to end may need a moment to be gone
const POLL_MS = 50
const NOT_OURS = ['node-compile-cache'] // Node's own cache, kept in the temporary directory

/** What a test run left behind under its root, as sentences; processes among it are ended, so that they cannot pile up. */
export async function collectLeftovers(root: string, graceMs = GRACE_MS): Promise<string[]> {
  const processes = await waitForEnd(root, graceMs)
  const sockets = boundSockets(root)
  const entries = readdirSync(root).filter((name) => !NOT_OURS.includes(name))
  for (const seen of processes) endProcess(seen)
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...sockets.map((path) => `socket ${path}`),
    ...entries.map((name) => `directory entry ${join(root, name)}`),
  ]
}

async function waitForEnd(root: string, graceMs: number): Promise<SeenProcess[]> {
  const deadline = performance.now() + graceMs
  for (;;) {
    const seen = processesMentioning(root).filter((each) => !isTestWorker(each))
    if (seen.length === 0 || performance.now() > deadline) return seen
    await delay(POLL_MS)
  }
}

/** The runner's own workers carry the root in their environment and may outlive the last test by a moment. */
function isTestWorker({ parent, command }: SeenProcess): boolean {
  return parent === process.pid && /vitest.*workers/.test(command)
}

/** Sockets that are still bound, including those whose file has been removed. */
function boundSockets(root: string): string[] {
  if (process.platform !== 'linux') return []
  const paths = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/)[7] ?? '')
  return [...new Set(paths.filter((path) => path.includes(root)))]
}
