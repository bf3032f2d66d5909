import type { TerminalId } from '../../base/ids.ts'
import { currentRun } from '../terminal/terminal.ts'
import type { KeptRecord, LivingHolder } from './found.ts'

/**
 * Who belongs to whom at boot. The run decides before the id: an orphan that was given a terminal of its own still
 * carries the id it was born with. A run that a record has beats a run that a record merely had last.
 */
export type Claim = { readonly record: KeptRecord; readonly holder: LivingHolder | null }
export type Stray = { readonly holder: LivingHolder; readonly idTaken: boolean }

type Fits = (record: KeptRecord, holder: LivingHolder) => boolean

const hasRun: Fits = (record, { run }) => record.ok && currentRun(record.terminal) === run
const hadRun: Fits = (record, { run }) => record.ok && record.terminal.state === 'asleep' && record.terminal.lastRun === run
const isNamed: Fits = (record, holder) => idOf(record) === holder.terminal && !sleptSince(record, holder)
/** An acknowledged sleep is not undone by an older run that shows itself late: that one gets a terminal of its own. */
const sleptSince: Fits = (record, { startedAt }) =>
  record.ok && record.terminal.state === 'asleep' && record.terminal.because.kind === 'slept' && startedAt <= record.terminal.since

const CLOSEST_FIRST: readonly Fits[] = [hasRun, (record, holder) => hadRun(record, holder) && isNamed(record, holder), hadRun, isNamed]

export function matchHolders(
  records: readonly KeptRecord[],
  holders: readonly LivingHolder[],
): { readonly claims: readonly Claim[]; readonly strays: readonly Stray[] } {
  const free = new Set([...holders].sort(bestFirst))
  const matched = new Map<KeptRecord, LivingHolder>()
  for (const fits of CLOSEST_FIRST) {
    for (const record of records) {
      const holder = matched.has(record) ? null : take(free, (candidate) => fits(record, candidate))
      if (holder !== null) matched.set(record, holder)
    }
  }
  const claims = records.map((record) => ({ record, holder: matched.get(record) ?? null }))
  return { claims, strays: strays([...free], new Set(records.map(idOf))) }
}

const idOf = (record: KeptRecord): TerminalId | string => (record.ok ? record.terminal.id : record.id)

/** Of several holders that name one terminal, a living one comes first, then the newest. */
function bestFirst(a: LivingHolder, b: LivingHolder): number {
  const ended = Number(a.exited !== null) - Number(b.exited !== null)
  return ended || b.startedAt - a.startedAt || (a.run < b.run ? -1 : 1)
}

function take(free: Set<LivingHolder>, fits: (holder: LivingHolder) => boolean): LivingHolder | null {
  for (const holder of free) {
    if (!fits(holder)) continue
    free.delete(holder)
    return holder
  }
  return null
}

function strays(holders: readonly LivingHolder[], taken: Set<string>): readonly Stray[] {
  return holders.map((holder) => {
    const idTaken = taken.has(holder.terminal)
    taken.add(holder.terminal)
    return { holder, idTaken }
  })
}
