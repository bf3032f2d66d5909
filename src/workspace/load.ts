/**
 * What the daemon leaves undone before it falls over, in stages: first what no client waits for, then what can be had again, then
 * what is new. A stage is entered at one mark and left at another that is clearly better, so that it does not come and go.
 */

import { assertNever } from '../base/assertNever.ts'

export type Room = { readonly bytes: number; readonly total: number }

/** Null: it cannot be measured here. */
export type Measures = {
  /** Of the memory that the main thread's objects may take, the share that they do. */
  readonly heapShare: number | null
  /** Of the memory of the machine, or of the container, the share that the daemon has. */
  readonly ownShare: number | null
  readonly available: Room | null
  readonly disk: Room | null
  /** The longest that the main thread stood still lately. */
  readonly stallMs: number
}

const LOAD_STAGES = [0, 1, 2, 3] as const
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
  const marks = marksOf(measures)
  const high = (value: number | null, cause: LoadCause): LoadStage =>
    value === null
      ? 0
      : stageOf(marks[cause], before.causes[cause], { enters: (mark) => value > mark, stays: (mark) => value * BETTER > mark })
  const low = (room: Room | null, cause: LoadCause): LoadStage =>
    room === null
      ? 0
      : stageOf(marks[cause], before.causes[cause], { enters: (mark) => room.bytes < mark, stays: (mark) => room.bytes < mark * BETTER })
  const causes = {
    heap: high(heapShare, 'heap'),
    own: high(ownShare, 'own'),
    available: low(available, 'available'),
    disk: low(disk, 'disk'),
    stall: high(stallMs, 'stall'),
  }
  const stage = Math.max(...Object.values(causes)) as LoadStage
  return {
    stage,
    causes,
    why: whyLoaded(
      { causes, measures },
      (Object.keys(causes) as LoadCause[]).filter((cause) => causes[cause] === stage),
    ),
  }
}

/** What of these is the case, worst first, in one sentence; null when nothing is. It says the mark, so that it stays the same for a while. */
export function whyLoaded(
  { causes, measures }: { readonly causes: Load['causes']; readonly measures: Measures },
  among: readonly LoadCause[],
): string | null {
  const [worst] = among.filter((cause) => causes[cause] > 0).toSorted((a, b) => causes[b] - causes[a])
  return worst === undefined ? null : sentenceOf(worst, marksOf(measures)[worst][causes[worst] - 1] ?? 0)
}

function marksOf({ available, disk }: Measures): Readonly<Record<LoadCause, readonly number[]>> {
  const { heapShare: heap, ownShare: own, stallMs: stall } = MARKS
  return {
    ...{ heap, own, stall },
    available: marksFor(available, MARKS.availableShare, MARKS.availableMib),
    disk: marksFor(disk, MARKS.diskShare, MARKS.diskMib),
  }
}

const marksFor = (room: Room | null, shares: readonly number[], mibs: readonly number[]): readonly number[] =>
  shares.map((share, index) => Math.min(share * (room?.total ?? 0), (mibs[index] ?? 0) * MIB))

type Beyond = { enters(mark: number): boolean; stays(mark: number): boolean }

function stageOf(marks: readonly number[], before: LoadStage, { enters, stays }: Beyond): LoadStage {
  const reached = marks.filter((mark, index) => enters(mark) || (index < before && stays(mark))).length
  return LOAD_STAGES[reached] ?? 3
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const sizeText = (bytes: number): string => (bytes < MIB ? `${Math.round(bytes / 1_024)} KB` : `${Math.round(bytes / MIB)} MB`)

function sentenceOf(cause: LoadCause, mark: number): string {
  switch (cause) {
    case 'heap':
      return `the daemon uses more than ${percent(mark)} of its memory limit`
    case 'own':
      return `the daemon uses more than ${percent(mark)} of the machine’s memory`
    case 'available':
      return `the machine has less than ${sizeText(mark)} of memory left`
    case 'disk':
      return `the disk is nearly full: less than ${sizeText(mark)} left`
    case 'stall':
      return `the daemon was blocked for more than ${mark / 1_000} s`
  }
  return assertNever(cause)
}

/** What is not done at a stage, for showing. */
export const shedAt = (stage: LoadStage): string[] => SHED.slice(0, stage)

const SHED = [
  'indexing of new output; checkpoints are saved only after a change of the layout',
  'history in memory of terminals that no client shows',
  'new terminals and channels',
]
