/**
 * Group commit. What is asked for within one turn of the event loop, or while the disk is busy with the turn before,
 * travels as one batch and becomes one transaction with one sync.
 */
import { assertNever } from '../base/assertNever.ts'
import { type Failure, StoreFailure } from './failure.ts'
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
  let batch: Entry[] = []
  let replaceable = new Map<string, Entry>()
  let inFlight = 0
  let scheduled = false

  const flush = (): void => {
    if (batch.length === 0) return
    const sent = batch
    batch = []
    replaceable = new Map()
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
    const key = keyOf(write)
    const older = key === null ? undefined : replaceable.get(key)
    if (older !== undefined) {
      // In the older one's place: moved behind, it could pass something that must come after it.
      older.write = write
      return older
    }
    const entry: Entry = { write, waiting: [] }
    batch.push(entry)
    if (key === null) replaceable.clear()
    else replaceable.set(key, entry)
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

/** Writes with the same key replace each other. Null for what takes things away: nothing may be moved across it. */
function keyOf(write: Write): string | null {
  switch (write.kind) {
    case 'terminal':
      return `terminal ${write.id}`
    case 'snapshot':
      return `snapshot ${write.run}`
    case 'webSession':
      return `webSession ${write.hash}`
    case 'setting':
      return `setting ${write.key}`
    case 'topology':
      return 'topology'
    case 'forgetTerminal':
    case 'forgetWebSession':
    case 'setTopologyAside':
      return null
  }
  return assertNever(write)
}
