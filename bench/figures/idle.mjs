/**
 * What a minute in which nothing happens writes to the disk: by the daemon, with screens to be kept every five seconds and
 * a checkpoint every minute, and by the holders.
 */
import { readFileSync } from 'node:fs'
import { delay } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { openMany } from './memory.mjs'

const SHELLS = 10
const SETTLE_MS = 12_000 // the prompts are on the screens, and those have been kept twice over

export const limitS = 150

export async function measure(lab, { quick, say }) {
  if (writtenBy(process.pid) === null) throw new Error('this system does not tell what a process has written (no /proc/PID/io)')
  const idleMs = quick ? 15_000 : 65_000
  const holdfast = await Holdfast.start(lab)
  const shells = await openMany(holdfast, SHELLS, ['sh'])
  await delay(SETTLE_MS)
  await holdfast.ask('checkpoint.create', { note: 'all is quiet' })
  await delay(SETTLE_MS / 6)
  const pids = [await holdfast.daemonPid(), ...shells.map(({ holderPid }) => holderPid)]
  const written = () => pids.reduce((sum, pid) => sum + writtenBy(pid), 0)
  say(`idle: ${SHELLS} shells, ${idleMs / 1_000} s`)
  const before = written()
  await delay(idleMs)
  return [
    {
      figure: 'idle.bytes',
      label: `written while ${SHELLS} shells idle, ${idleMs / 1_000} s`,
      unit: 'bytes',
      holdfast: [written() - before],
    },
  ]
}

/** What it has caused to be written to a disk, the whole of its life. */
function writtenBy(pid) {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
  } catch {
    return null
  }
}
