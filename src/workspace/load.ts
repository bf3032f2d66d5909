/**
 * What the daemon leaves undone before it falls over, in stages: first what nobody waits for, then what can be had again, then
 * what is new. A stage is entered at one mark and left at another that is clearly better, so that it does not come and go.
 */

/** Null: it cannot be measured here. */
export type Measures = {
  /** Of the memory that the main thread's objects may take, the share that they do. */
  readonly heapShare: number | null
  /** Of the memory of the machine, or of the container, the share that the daemon has. */
  readonly ownShare: number | null
  readonly available: { readonly bytes: number; readonly total: number } | null
  readonly disk: { readonly bytes: number; readonly total: number } | null
  /** The longest that the main thread stood still lately. */
  readonly stallMs: number
}

export const LOAD_STAGES = [0, 1, 2, 3] as const
export type LoadStage = (typeof LOAD_STAGES)[number]
export type LoadCause = 'heap' | 'own' | 'available' | 'disk' | 'stall'

export type Load = { readonly stage: LoadStage; readonly causes: Readonly<Record<LoadCause, LoadStage>>; readonly why: string | null }

export const NO_LOAD: Load = { stage: 0, causes: { heap: 0, own: 0, available: 0, disk: 0, stall: 0 }, why: null }

/** In the order of the stages. A small machine or disk is measured by its share, a large one by what is really needed. */
const MARKS = {
  heapShare: [0.7, 0.8, 0.9],
  ownShare: [0.4, 0.55, 0.7],
  availableShare: [0.05, 0.03, 0.015],
  availableMib: [512, 256, 96],
  diskShare: [0.05, 0.02, 0.005],
  diskMib: [256, 64, 16],
  stallMs: [2_000, 10_000],
} as const
/** How much better than the mark it must be before a stage is left. */
const BETTER = 1.25
const MIB = 1 << 20

export function planLoad(measures: Measures, before: Load): Load {
  const { heapShare, ownShare, available, disk, stallMs } = measures
  const high = (value: number | null, marks: readonly number[], cause: LoadCause): LoadStage =>
    value === null ? 0 : stageOf(marks, before.causes[cause], { enters: (mark) => value > mark, stays: (mark) => value * BETTER > mark })
  const low = (room: Measures['disk'], marks: readonly number[], cause: LoadCause): LoadStage =>
    room === null
      ? 0
      : stageOf(marks, before.causes[cause], { enters: (mark) => room.bytes < mark, stays: (mark) => room.bytes < mark * BETTER })
  const causes = {
    heap: high(heapShare, MARKS.heapShare, 'heap'),
    own: high(ownShare, MARKS.ownShare, 'own'),
    available: low(available, marksFor(available, MARKS.availableShare, MARKS.availableMib), 'available'),
    disk: low(disk, marksFor(disk, MARKS.diskShare, MARKS.diskMib), 'disk'),
    stall: high(stallMs, MARKS.stallMs, 'stall'),
  }
  const stage = Math.max(...Object.values(causes)) as LoadStage
  const worst = (Object.keys(causes) as LoadCause[]).find((cause) => causes[cause] === stage)
  return { stage, causes, why: stage === 0 || worst === undefined ? null : sentenceOf(worst, measures) }
}

const marksFor = (room: Measures['disk'], shares: readonly number[], mibs: readonly number[]): readonly number[] =>
  shares.map((share, index) => Math.min(share * (room?.total ?? 0), (mibs[index] ?? 0) * MIB))

type Beyond = { enters(mark: number): boolean; stays(mark: number): boolean }

function stageOf(marks: readonly number[], before: LoadStage, { enters, stays }: Beyond): LoadStage {
  const reached = marks.filter((mark, index) => enters(mark) || (index < before && stays(mark))).length
  return LOAD_STAGES[reached] ?? 3
}

const percent = (share: number | null): string => `${Math.round((share ?? 0) * 100)} %`
const mib = (room: Measures['disk']): string => `${Math.floor((room?.bytes ?? 0) / MIB)} MB`

function sentenceOf(cause: LoadCause, { heapShare, ownShare, available, disk, stallMs }: Measures): string {
  switch (cause) {
    case 'heap':
      return `the daemon uses ${percent(heapShare)} of the memory that it can use`
    case 'own':
      return `the daemon uses ${percent(ownShare)} of the machine’s memory`
    case 'available':
      return `the machine has ${mib(available)} of memory left`
    case 'disk':
      return `the disk is nearly full: ${mib(disk)} are left`
    case 'stall':
      return `the daemon stood still for ${(stallMs / 1_000).toFixed(1)} s`
  }
}

/** What is not done at a stage, for showing. */
export const shedAt = (stage: LoadStage): string[] => SHED.slice(0, stage)

const SHED = [
  'new output is not indexed, and checkpoints are taken only when something of the structure changes',
  'screens that nobody looks at keep fewer lines in memory',
  'no new terminals and channels',
]
