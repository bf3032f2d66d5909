/** What processes hold in memory, and how much of the machine's is left. Linux tells; elsewhere nobody knows. */
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'

export type ReadProc = (path: string) => Promise<string | null>

/** A process may end between two reads, and others belong to other users. */
const readProc: ReadProc = (path) => readFile(`/proc/${path}`, 'latin1').catch(() => null)
const systemProc = process.platform === 'linux' ? readProc : null

/** Their own share of what they have together; of one that may not be asked for it, all it has in memory. Null where none can be asked. */
export async function memoryOf(pids: readonly number[], read: ReadProc | null = systemProc): Promise<number | null> {
  if (read === null) return null
  const held = await Promise.all(
    pids.map(async (pid) => kibIn(await read(`${pid}/smaps_rollup`), 'Pss') ?? kibIn(await read(`${pid}/status`), 'VmRSS')),
  )
  const known = held.filter((kib) => kib !== null)
  return known.length === 0 ? null : known.reduce((sum, kib) => sum + kib, 0) * 1024
}

function kibIn(text: string | null, name: string): number | null {
  const [, kib] = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text ?? '') ?? []
  return kib === undefined ? null : Number(kib)
}

/** How much can be had without swapping, in percent; of a control group that allows less than the machine has, of that. */
export function availablePercent(): number | null {
  if (process.platform !== 'linux') return null
  const most = process.constrainedMemory()
  const total = most > 0 ? Math.min(most, totalmem()) : totalmem()
  return (Math.min(process.availableMemory(), total) * 100) / total
}
