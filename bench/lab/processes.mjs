/** What the system tells about processes. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Pids of all other processes that have `text` in their command line, environment or working directory. */
export function processesMentioning(text) {
  const found = process.platform === 'linux' ? fromProc(text) : fromPs(text)
  return found.filter((pid) => pid !== process.pid)
}

function fromProc(text) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => !isZombie(pid) && mentions(pid, text)).map(Number)
}

function mentions(pid, text) {
  const places = [() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), () => readFileSync(`/proc/${pid}/environ`, 'utf8')]
  return [...places, () => readlinkSync(`/proc/${pid}/cwd`)].some((look) => attempt(look).includes(text))
}

const isZombie = (pid) => / \) Z /.test(attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/s, ' )')))

function fromPs(text) {
  const lines = execFileSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\n')
  return lines.filter((line) => line.includes(text)).map((line) => Number.parseInt(line, 10))
}

/** Empty where the process has ended or belongs to somebody else. */
function attempt(look) {
  try {
    return look()
  } catch {
    return ''
  }
}

/** Memory that would be free again if the process ended: what it shares with nobody. Null where the system does not tell. */
export function privateBytes(pid) {
  const text = attempt(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, count]) => Number(count))
  return kilobytes.length === 0 ? null : kilobytes.reduce((sum, count) => sum + count, 0) * 1024
}
