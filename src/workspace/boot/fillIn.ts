import type { TerminalId } from '../../base/ids.ts'
import type { Checkpoint } from '../checkpoint/checkpoint.ts'
import { freeName, planRestore, type RestoreInput } from '../checkpoint/planRestore.ts'
import { USUAL_POLICY } from '../checkpoint/planRestoreWakes.ts'
import { emptyTopology, type Topology } from '../layout/topology.ts'
import { sameValue } from '../sameValue.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { KeptRecord, UndecodableRecord } from './found.ts'

/**
 * What a boot takes from a checkpoint: only what the database no longer tells. A record that is there is newer and wins,
 * and so does a layout; one that is not there was closed, unless nothing at all is there. A checkpoint that is newer than
 * the database wins instead.
 */
export type FillInput = Pick<RestoreInput, 'now' | 'spare' | 'host'> & {
  readonly checkpoint: Checkpoint
  readonly records: readonly KeptRecord[]
  /** Null when it is gone. */
  readonly topology: Topology | null
  /** The checkpoint knows better: the newest writes of the database have gone. */
  readonly isNewer: boolean
}

export type FilledIn = {
  readonly records: readonly KeptRecord[]
  readonly topology: Topology
  /** In place of a record that could not be decoded (`instead`), or of one that is gone. */
  readonly terminals: readonly { readonly terminal: Terminal; readonly instead: UndecodableRecord | null }[]
}

export function fillIn(input: FillInput): FilledIn {
  const { checkpoint, topology, isNewer } = input
  const outdated = new Set<string>(isNewer ? checkpoint.terminals.map(({ terminal }) => terminal.id) : [])
  const records = input.records.filter((record) => !record.ok || !outdated.has(record.terminal.id))
  const isAllGone = isNewer || (records.length === 0 && topology === null)
  const names = new Set(records.flatMap((record) => (record.ok ? [record.terminal.name] : [])))
  const filled = new Map(
    checkpoint.terminals.flatMap(({ terminal }) => {
      const instead = records.find((record): record is UndecodableRecord => !record.ok && record.id === terminal.id) ?? null
      if (instead === null && !isAllGone) return []
      const name = freeName(terminal.name, names)
      names.add(name)
      return [[terminal.id, { terminal: { ...terminal, name }, instead }] as const]
    }),
  )
  const gone = isAllGone ? [...filled.values()].filter(({ instead }) => instead === null) : []
  const whole = [...records.map((record) => withRecord(record, filled)), ...gone.map(({ terminal }) => ({ ok: true, terminal }) as const)]
  const isAsBefore = (terminal: Terminal): boolean => input.records.some((record) => record.ok && sameValue(record.terminal, terminal))
  return {
    records: whole,
    topology: isNewer || topology === null ? layoutOf(input, whole) : topology,
    terminals: [...filled.values()].filter(({ terminal }) => !isAsBefore(terminal)),
  }
}

function withRecord(record: KeptRecord, filled: ReadonlyMap<TerminalId, { readonly terminal: Terminal }>): KeptRecord {
  const found = record.ok ? undefined : filled.get(record.id as TerminalId)
  return found === undefined ? record : { ok: true, terminal: found.terminal }
}

/** The checkpoint's layout, for its terminals that still exist; newer terminals get a workspace at the end. */
function layoutOf({ checkpoint, now, spare, host }: FillInput, records: readonly KeptRecord[]): Topology {
  const terminals = records.flatMap((record) => (record.ok ? [record.terminal] : []))
  const known = new Set<string>(records.map((record) => (record.ok ? record.terminal.id : record.id)))
  const planned = planRestore({
    checkpoint: { ...checkpoint, terminals: checkpoint.terminals.filter(({ terminal }) => known.has(terminal.id)) },
    present: { terminals, topology: emptyTopology(spare) },
    holders: [],
    policy: USUAL_POLICY,
    host,
    paths: new Map(),
    focused: null,
    now,
    spare: { ...spare },
    asleepStrangers: 'keep',
  })
  return planned.ok ? planned.value.topology : emptyTopology(spare)
}
