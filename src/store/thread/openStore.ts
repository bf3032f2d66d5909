/**
 * src/store/thread: the store on SQLite, in a thread of its own. This file is the daemon's side: it turns records into text and back
 * and collects writes. storeWorker.ts is the other side and owns the disk: openDatabase.ts opens the file, reads.ts, writes.ts and
 * deeds.ts are the tables of what can be asked and changed.
 */
import { randomBytes } from 'node:crypto'
import { makeId, type SessionId } from '../../base/ids.ts'
import { done, type Result } from '../../base/refusal.ts'
import { USUAL_RETENTION } from '../../workspace/checkpoint/checkpointRetention.ts'
import { storable, storableClosed, storableEntry } from '../../workspace/checkpoint/storable.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import { redactPlain } from '../../workspace/redact/redact.ts'
import type { Closed } from '../../workspace/terminal/closed.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { StoreFailure } from '../failure.ts'
import { decodeClosed, decodeDevice, decodeTerminal, decodeTopology } from '../record.ts'
import type { AuditRow } from '../rows/auditRows.ts'
import { type Mirrored, mirrorOf, readMirror } from '../salvage/mirror.ts'
import type { AuditEntry, Device, KeptClosed, KeptRecord, KeptSnapshot, Restored, Store } from '../store.ts'
import type { ClosedRow } from './reads.ts'
import { openReplaceable, openWorker, type ReplaceableLink, type WorkerLink } from './workerLink.ts'
import { makeWriteQueue, type WriteQueue } from './writeQueue.ts'
import type { RestoredRows, Write } from './writes.ts'

export type StoreSetup = { readonly file: string; readonly now: () => number }

/** Refuses, and leaves the file alone, when it is a newer Holdfast's or cannot be used; a damaged one is set aside. */
export async function openStore({ file, now }: StoreSetup): Promise<Result<Store>> {
  const opened = await openReplaceable(() => openWorker({ file, now: now() }))
  if (!opened.ok) return opened
  const link = opened.value
  const queue = makeWriteQueue(link.write)
  const troubles = [...link.troubles]
  await setUnreadableTopologyAside({ link, queue, troubles, now })
  return done(makeStore({ file, link, queue, troubles, now }))
}

type Parts = {
  readonly file: string
  readonly link: ReplaceableLink
  readonly queue: WriteQueue
  readonly troubles: string[]
  readonly now: () => number
}

async function setUnreadableTopologyAside({ link, queue, troubles, now }: Omit<Parts, 'file'>): Promise<void> {
  const raw = await link.ask('topology')
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

/** No such setting is ever kept: it is found missing at once, by the thread and by the database. */
const PINGED = 'ping'

function makeStore(parts: Parts): Store {
  const { link, queue, troubles } = parts
  const ask: WorkerLink['ask'] = (...question) => {
    queue.flush()
    return link.ask(...question)
  }
  const act: WorkerLink['act'] = (...deed) => {
    queue.flush()
    return link.act(...deed)
  }
  const asked = { ...parts, ask, act }
  let closing: Promise<void> | null = null
  return {
    troubles,
    ...keptThings(asked),
    ...sessionsAndAudit(asked),
    ...checkpointsOf(asked),
    ping: async () => void (await link.ask('setting', PINGED)),
    hasEnded: () => link.hasEnded(),
    onEnded: (tell) => link.onEnded(tell),
    async reopen() {
      const found = await link.replace()
      troubles.push(...found)
      return { sound: found.length === 0 }
    },
    close() {
      queue.flush()
      closing ??= link.close()
      return closing
    },
  }
}

type Asked = Parts & Pick<WorkerLink, 'ask' | 'act'>

type Reading = { readonly what: string; readonly read: () => Promise<KeptSnapshot | null> }

/** A picture that is damaged costs itself, and a sentence says so. */
async function pictureOrTrouble({ troubles }: Asked, { what, read }: Reading): Promise<KeptSnapshot | null> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof StoreFailure) || error.kind !== 'damaged') throw error
    troubles.push(`${what} is lost: ${error.message}.`)
    return null
  }
}

function keptThings(parts: Asked) {
  const { ask, act, queue } = parts
  let logged = 0
  return {
    records: async () => (await ask('records')).map(({ id, record }) => keptRecord(id, record)),
    async topology() {
      const raw = await ask('topology')
      const decoded = raw === null ? null : decodeTopology(raw)
      return decoded?.ok ? decoded.value : null
    },
    keepTerminal: (terminal) => queue.add(terminalWrite(terminal)),
    forgetTerminal: (id) => queue.add({ kind: 'forgetTerminal', id }),
    closeTerminal: async (closed, topology) =>
      void (await act('keepRestored', { writes: [closedWrite(closed), topologyWrite(topology)], screens: [] })),
    closed: async () => (await ask('closed')).map((row) => keptClosed(row)),
    reopenTerminal: async (terminal, topology) =>
      void (await act('keepRestored', { writes: [bringBackWrite(terminal), topologyWrite(topology)], screens: [] })),
    keepTopology: (topology) => queue.add(topologyWrite(topology)),
    // A copy, because the caller may reuse its buffer before the batch leaves.
    keepSnapshot: (terminal, { run, seq, bytes }) => queue.add({ kind: 'snapshot', run, terminal, seq, bytes: new Uint8Array(bytes) }),
    snapshot: (run) =>
      pictureOrTrouble(parts, {
        what: `The last screen of run ${run}`,
        async read() {
          const row = await ask('snapshot', run)
          return row === null ? null : { run, ...row }
        },
      }),
    devices: async () => (await ask('devices')).flatMap(({ id, record }) => keptDevice(id, record)),
    keepDevice: (device) => queue.add({ kind: 'device', id: device.id, record: JSON.stringify(device) }),
    forgetDevice: (id) => queue.add({ kind: 'forgetDevice', id }),
    appendAuthLog: (entry) => queue.add({ kind: 'authLog', number: logged++, entry }),
    authLog: (limit) => ask('authLog', limit),
    setting: (key) => ask('setting', key),
    keepSetting: (key, value) => queue.add({ kind: 'setting', key, value }),
  } satisfies Partial<Store>
}

function sessionsAndAudit({ ask, act, queue, now }: Asked) {
  let current: SessionId | null = null
  let audited = 0
  return {
    async beginSession({ version, host }) {
      const id = makeId('session', randomBytes)
      await act('beginSession', { id, at: now(), version, host })
      current = id
      return id
    },
    endSession: async (id, { clean }) => void (await act('endSession', { id, at: now(), clean })),
    lastUncleanSession: () => ask('lastUncleanSession', current),
    sessionBefore: () => ask('sessionBefore', current),
    markRecovered: async (id) => void (await act('markRecovered', { id, at: now() })),
    sessions: () => ask('sessions'),
    appendAudit({ session, terminal, what, details }) {
      audited += 1
      return queue.add({ kind: 'audit', number: audited, row: auditRow({ session, terminal, what, details }, now()) })
    },
    audit: ({ terminal, limit } = {}) => ask('audit', { terminal: terminal ?? null, limit: limit ?? USUAL_AUDIT_LIMIT }),
  } satisfies Partial<Store>
}

function auditRow({ session, terminal, what, details }: Omit<AuditEntry, 'at'>, at: number): AuditRow {
  return { at, session, terminal, what, details: JSON.stringify(redactPlain(details)) ?? 'null' }
}

const USUAL_AUDIT_LIMIT = 200 // a few screens of reading

function checkpointsOf(parts: Asked) {
  const { file, ask, act, now, troubles } = parts
  return {
    keepCheckpoint: (draft) =>
      act('keepCheckpoint', makeId('checkpoint', randomBytes), { ...draft, terminals: draft.terminals.map(storableEntry) }),
    checkpoints: () => ask('checkpoints'),
    checkpoint: (id) => ask('checkpoint', id),
    async newestGoodCheckpoint(of) {
      const session = of?.session ?? null
      const found = await ask('newestGood', session)
      const copy = readMirror(mirrorOf(file))
      const isDatabaseBehind = await isBehind(copy, ask)
      if (found.checkpoint !== null && !isDatabaseBehind) return { ...found, from: 'database', isDatabaseBehind }
      // Only instead of checkpoints that are damaged or lost: a deleted checkpoint stays deleted.
      const mayUseMirror = isDatabaseBehind || found.damaged.length > 0 || (await isBlank(ask))
      if (mayUseMirror) troubles.push(...copy.troubles)
      const fits = mayUseMirror && copy.checkpoint !== null && (session === null || copy.checkpoint.session === session)
      if (fits) return { ...found, checkpoint: copy.checkpoint, from: 'mirror', isDatabaseBehind }
      return { ...found, from: found.checkpoint === null ? null : 'database', isDatabaseBehind: false }
    },
    checkpointScreen: (id, terminal) =>
      pictureOrTrouble(parts, {
        what: `The screen of ${terminal} in checkpoint ${id}`,
        read: () => ask('checkpointScreen', id, terminal),
      }),
    deleteCheckpoint: (id) => act('deleteCheckpoint', id),
    pruneCheckpoints: (retention = USUAL_RETENTION) => act('pruneCheckpoints', { now: now(), retention }),
    traces: (order) => ask('traces', order),
    pastTerminals: () => ask('pastTerminals'),
    forget: async (order) => void (await act('forget', order)),
    compact: () => act('compact'),
    keepRestored: async (restored) => void (await act('keepRestored', restoredRows(restored, now()))),
  } satisfies Partial<Store>
}

function restoredRows({ terminals, forgotten, topology, screens, audit }: Restored, at: number): RestoredRows {
  const writes: readonly Write[] = [
    ...forgotten.map((id) => ({ kind: 'forgetTerminal', id }) as const),
    ...terminals.map(bringBackWrite),
    topologyWrite(topology),
    ...audit.map((entry, number) => ({ kind: 'audit', number, row: auditRow(entry, at) }) as const),
  ]
  return { writes, screens }
}

const recordOf = (terminal: Terminal) => ({ id: terminal.id, record: JSON.stringify(storable(terminal)), touched: terminal.touched })

const terminalWrite = (terminal: Terminal): Write => ({ ...recordOf(terminal), kind: 'terminal' })

const bringBackWrite = (terminal: Terminal): Write => ({ ...recordOf(terminal), kind: 'bringBack' })

function closedWrite(whole: Closed): Write {
  const { terminal, ...closed } = storableClosed(whole)
  return { ...recordOf(terminal), kind: 'closeTerminal', closed: JSON.stringify(closed) }
}

const topologyWrite = (topology: Topology): Write => ({ kind: 'topology', body: JSON.stringify(topology) })

/** Nothing was ever arranged here: this is a first start, or the database that knew about it is gone. */
async function isBlank(ask: WorkerLink['ask']): Promise<boolean> {
  return (await ask('topology')) === null && (await ask('records')).length === 0
}

/** The mirror is written after its checkpoint. If it is the newest, writes were lost with the WAL, or the file is an old copy. */
async function isBehind({ checkpoint }: Mirrored, ask: WorkerLink['ask']): Promise<boolean> {
  return checkpoint !== null && checkpoint.at > ((await ask('lastCheckpointAt')) ?? 0) && !(await isBlank(ask))
}

function keptRecord(id: string, raw: string): KeptRecord {
  const decoded = decodeTerminal(id, raw)
  return decoded.ok ? { ok: true, terminal: decoded.value } : { ok: false, id, raw, why: decoded.why }
}

function keptDevice(id: string, raw: string): readonly Device[] {
  const decoded = decodeDevice(id, raw)
  return decoded.ok ? [decoded.value] : []
}

function keptClosed({ id, record, closed }: ClosedRow): KeptClosed {
  const decoded = decodeClosed(id, { record, closed })
  return decoded.ok ? { ok: true, closed: decoded.value } : { ok: false, id, why: decoded.why }
}
