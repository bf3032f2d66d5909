/**
 * Group commit. What is asked for within one turn of the event loop, or while the disk is busy with the turn before,
 * travels as one batch and becomes one transaction with one sync.
 */
import { assertNever } from '../../base/assertNever.ts'
import { type Failure, StoreFailure } from '../failure.ts'
import type { Write } from './writes.ts'

export type WriteQueue = {
  /** Resolves when the write, or a newer one in its place, is on disk. */
  add(write: Write): Promise<void>
  /** Sends what waits now, so that a question asked next sees it. */
  flush(): void
}

type Entry = { write: Write; readonly waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] }

/** `send` resolves to one outcome per write, null for done. */
export function makeWriteQueue(send: (writes: readonly Write[]) => Promise<readonly (Failure | null)[]>): WriteQueue {
  let batch = new Map<string, Entry>()
  let era = 0
  let inFlight = 0
  let scheduled = false

  const flush = (): void => {
    if (batch.size === 0) return
    const sent = [...batch.values()]
    batch = new Map()
    inFlight += 1
    void deliver(sent, send).finally(() => {
      inFlight -= 1
      if (inFlight === 0) flush()
    })
  }

  const schedule = (): void => {
    if (scheduled || inFlight > 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (inFlight === 0) flush()
    })
  }

  const entryFor = (write: Write): Entry => {
    const key = `${era} ${keyOf(write)}`
    const older = batch.get(key)
    // What takes something away begins a new era: nothing asked for after it may end up before it.
    if (takesAway(write)) era += 1
    if (older !== undefined && write.kind !== 'snapshot') {
      older.write = write // in its place, because snapshots behind it may need the record
      return older
    }
    const entry: Entry = { write, waiting: older?.waiting ?? [] }
    batch.delete(key)
    batch.set(key, entry) // at the end, behind the record it may need
    return entry
  }

  return {
    add: (write) =>
      new Promise((resolve, reject) => {
        entryFor(write).waiting.push({ resolve, reject })
        schedule()
      }),
    flush,
  }
}

async function deliver(sent: readonly Entry[], send: (writes: readonly Write[]) => Promise<readonly (Failure | null)[]>): Promise<void> {
  try {
    const outcomes = await send(sent.map(({ write }) => write))
    for (const [index, { waiting }] of sent.entries()) {
      const failure = outcomes[index] ?? null
      for (const { resolve, reject } of waiting) {
        if (failure === null) resolve()
        else reject(new StoreFailure(failure))
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error))
    for (const { waiting } of sent) for (const { reject } of waiting) reject(reason)
  }
}

const takesAway = ({ kind }: Write): boolean => kind === 'forgetTerminal' || kind === 'forgetDevice' || kind === 'setTopologyAside'

/** Writes with the same key replace each other. */
function keyOf(write: Write): string {
  switch (write.kind) {
    case 'terminal':
    case 'forgetTerminal':
    case 'bringBack':
    case 'closeTerminal':
    case 'device':
    case 'forgetDevice':
      return `${write.kind} ${write.id}`
    case 'snapshot':
      return `${write.kind} ${write.run}`
    case 'setting':
    case 'setTopologyAside':
      return `${write.kind} ${write.key}`
    case 'audit':
    case 'authLog':
      return `${write.kind} ${write.number}`
    case 'topology':
      return write.kind
  }
  return assertNever(write)
}
