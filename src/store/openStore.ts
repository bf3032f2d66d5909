/**
 * The store on SQLite. This side turns records into text and back and collects writes; the thread behind it does
 * everything that touches the disk.
 */
import { done, type Result } from '../base/refusal.ts'
import { StoreFailure } from './failure.ts'
import { decodeTerminal, decodeTopology } from './record.ts'
import type { KeptRecord, KeptSnapshot, Store } from './store.ts'
import { openWorker, type WorkerLink } from './workerLink.ts'
import { makeWriteQueue, type WriteQueue } from './writeQueue.ts'

export type StoreSetup = { readonly file: string; readonly now: () => number }

/** Refuses, and leaves the file alone, when it is a newer Holdfast's or cannot be used; a damaged one is set aside. */
export async function openStore({ file, now }: StoreSetup): Promise<Result<Store>> {
  const opened = await openWorker({ file, now: now() })
  if (!opened.ok) return opened
  const link = opened.value
  const queue = makeWriteQueue(link.write)
  const troubles = [...link.troubles]
  await setUnreadableTopologyAside({ link, queue, troubles, now })
  return done(makeStore({ link, queue, troubles, now }))
}

type Parts = { readonly link: WorkerLink; readonly queue: WriteQueue; readonly troubles: string[]; readonly now: () => number }

async function setUnreadableTopologyAside({ link, queue, troubles, now }: Parts): Promise<void> {
  const raw = await link.ask({ kind: 'topology' })
  const decoded = raw === null ? null : decodeTopology(raw)
  if (decoded === null || decoded.ok) return
  const key = `topology.unreadable.${new Date(now()).toISOString()}`
  const trouble = `The layout could not be read: ${decoded.why}. It was set aside as the setting ${key}.`
  try {
    await queue.add({ kind: 'setTopologyAside', key })
    troubles.push(trouble)
  } catch (error) {
    // A failure of the disk: the layout stays where it is until the next opening, or until a new one is kept.
    troubles.push(`The layout could not be read: ${decoded.why}. It could not be set aside either: ${String(error)}.`)
  }
}

function makeStore({ link, queue, troubles, now }: Parts): Store {
  const ask: WorkerLink['ask'] = (question) => {
    queue.flush()
    return link.ask(question)
  }
  let closing: Promise<void> | null = null
  return {
    troubles,
    records: async () => (await ask({ kind: 'records' })).map(({ id, record }) => keptRecord(id, record)),
    async topology() {
      const raw = await ask({ kind: 'topology' })
      const decoded = raw === null ? null : decodeTopology(raw)
      return decoded?.ok ? decoded.value : null
    },
    keepTerminal: (terminal) =>
      queue.add({ kind: 'terminal', id: terminal.id, record: JSON.stringify(terminal), touched: terminal.touched }),
    forgetTerminal: (id) => queue.add({ kind: 'forgetTerminal', id }),
    keepTopology: (topology) => queue.add({ kind: 'topology', body: JSON.stringify(topology) }),
    // A copy, because the caller may reuse its buffer before the batch leaves.
    keepSnapshot: (terminal, { run, seq, bytes }) => queue.add({ kind: 'snapshot', run, terminal, seq, bytes: new Uint8Array(bytes) }),
    async snapshot(run) {
      try {
        const row = await ask({ kind: 'snapshot', run })
        return row === null ? null : ({ run, ...row } satisfies KeptSnapshot)
      } catch (error) {
        if (!(error instanceof StoreFailure) || error.kind !== 'damaged') throw error
        troubles.push(`The last screen of run ${run} is lost: ${error.message}.`)
        return null
      }
    },
    webSessions: async () => (await ask({ kind: 'webSessions' })).filter(({ expires }) => expires > now()),
    keepWebSession: ({ hash, created, expires, label }) => queue.add({ kind: 'webSession', hash, created, expires, label, now: now() }),
    forgetWebSession: (hash) => queue.add({ kind: 'forgetWebSession', hash }),
    setting: (key) => ask({ kind: 'setting', key }),
    keepSetting: (key, value) => queue.add({ kind: 'setting', key, value }),
    close() {
      queue.flush()
      closing ??= link.close()
      return closing
    },
  }
}

function keptRecord(id: string, raw: string): KeptRecord {
  const decoded = decodeTerminal(id, raw)
  return decoded.ok ? { ok: true, terminal: decoded.value } : { ok: false, id, raw, why: decoded.why }
}
