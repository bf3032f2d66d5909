/**
 * Writes down how things changed: a line in the log and a row of the audit for each change. One that comes and goes all the time is
 * only counted after a while, so that it cannot fill the disk. Rows that cannot be kept wait for the store to be back.
 */
import type { SessionId } from '../../base/ids.ts'
import type { AuditEntry, Store } from '../../store/store.ts'
import type { Log } from '../base/log.ts'
import type { Note } from './monitor.ts'
import type { Watched } from './watched.ts'

/** Everything that one part does until it is well or given up is fewer than this. */
const MOST_NOTES = 20
const WITHIN_MS = 10 * 60_000
const MOST_WAITING = 200

type Entry = Omit<AuditEntry, 'at'>
type Told = { readonly times: readonly number[]; readonly untold: number }

export type NotesWorld = { readonly log: Log; readonly store: Pick<Store, 'appendAudit'>; readonly session: SessionId; now(): number }

export class Notes {
  private readonly told = new Map<string, Told>()
  private waiting: readonly Entry[] = []

  constructor(private readonly world: NotesWorld) {}

  changed({ id, kind, name, terminal }: Watched, { from, to, why }: Note): void {
    const untold = this.take(id)
    if (untold === null) return
    const details = { id, kind, name: name(), from, to, why, ...(untold === 0 ? {} : { untold }) }
    const level = to === 'alive' && why === null ? 'info' : 'warn'
    this.world.log[level]({ ...details, terminal }, 'health')
    this.keep({ session: this.world.session, terminal, what: 'health', details })
  }

  /** Of the daemon as a whole. */
  said(what: string, details: Readonly<Record<string, unknown>>): void {
    const untold = this.take(what)
    if (untold === null) return
    this.world.log.warn({ ...details, untold }, what)
    this.keep({ session: this.world.session, terminal: null, what: 'health', details: { id: what, ...details } })
  }

  /** How many were left untold before this one, or null when it is to be, too. */
  private take(id: string): number | null {
    const now = this.world.now()
    const { times, untold } = this.told.get(id) ?? { times: [], untold: 0 }
    const recent = times.filter((at) => Math.abs(now - at) < WITHIN_MS)
    const isTold = recent.length < MOST_NOTES
    this.told.set(id, isTold ? { times: [...recent, now], untold: 0 } : { times: recent, untold: untold + 1 })
    if (this.told.size > MOST_WAITING) this.told.delete([...this.told.keys()][0] ?? '')
    return isTold ? untold : null
  }

  private keep(entry: Entry): void {
    const entries = [...this.waiting, entry]
    this.waiting = []
    for (const each of entries) this.world.store.appendAudit(each).catch(() => this.keepLater(each))
  }

  private keepLater(entry: Entry): void {
    this.waiting = [...this.waiting, entry].slice(-MOST_WAITING)
  }
}
