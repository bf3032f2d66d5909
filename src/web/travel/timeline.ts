/** The checkpoints as a timeline: in days, in words, and as rows of which only those in sight are drawn. Pure. */
import type { Outcome } from '../../wire/commands/commands.ts'
import { restoredAfter } from '../../workspace/checkpoint/checkpoint.ts'
import { capital } from '../state/words.ts'

export type Checkpoint = Outcome<'checkpoint.list'>[number]

export const KIND_WORDS: Readonly<Record<Checkpoint['kind'], string>> = {
  periodic: 'Autosave',
  event: 'Autosave after a change',
  shutdown: 'Daemon stopped',
  startup: 'Daemon started',
  manual: 'Saved by you',
  'before-destructive': 'Before a restore or import',
}

/** Checkpoints that the user saved, and those that undo a restore or an import. */
export const standsOut = ({ kind }: Checkpoint): boolean => kind === 'manual' || kind === 'before-destructive'

/** What is wrong with it, in a word or two. Damage is known only after an attempt to show it. */
export function faultOf({ id, knownGood, terminalCount }: Checkpoint, damaged: ReadonlySet<string>): string | null {
  if (damaged.has(id)) return 'damaged'
  return knownGood ? null : terminalCount === 0 ? 'empty' : 'incomplete'
}

export const countWords = (count: number): string => (count === 1 ? '1 terminal' : `${count} terminals`)

export type Clock = { readonly now: number; readonly locale?: string | undefined }

export const timeWords = (at: number, { locale }: Pick<Clock, 'locale'>, seconds = false): string =>
  new Date(at).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(seconds ? { second: '2-digit' } : {}),
  })

export function dayWords(at: number, { now, locale }: Clock): string {
  const day = startOfDay(at)
  const [today, yesterday] = [startOfDay(now), startOfDay(startOfDay(now) - 1)]
  if (day === today) return 'Today'
  if (day === yesterday) return 'Yesterday'
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Date(at).toLocaleDateString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** What it is called: its note, or how it came about. */
export function titleOf(checkpoint: Checkpoint, all: readonly Checkpoint[], clock: Clock): string {
  const { note, kind } = checkpoint
  if (note === null) return KIND_WORDS[kind]
  const restored = restoredAfter(note)
  if (restored === null) return capital(note)
  const then = all.find(({ id }) => id === restored)
  if (then === undefined) return 'Before a restore'
  return `Before restoring ${then.note === null || restoredAfter(then.note) !== null ? timeWords(then.at, clock) : `“${then.note}”`}`
}

/** A moment in the middle of a sentence: "as it was at 14:32". */
export function momentWords(at: number, clock: Clock): string {
  const [day, time] = [dayWords(at, clock), timeWords(at, clock)]
  return day === 'Today' ? `at ${time}` : `${day === 'Yesterday' ? 'yesterday' : `on ${day}`} at ${time}`
}

export function detailOf(checkpoint: Checkpoint, damaged: ReadonlySet<string>): string {
  const { kind, note, terminalCount } = checkpoint
  const how = note === null || kind === 'before-destructive' ? null : KIND_WORDS[kind]
  return [how, countWords(terminalCount), faultOf(checkpoint, damaged)].filter((part) => part !== null).join(' · ')
}

export type Row = { readonly top: number; readonly height: number } & (
  | { readonly kind: 'day'; readonly title: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint; readonly index: number }
)

const DAY_PX = 32
const ROW_PX = 46

/** Every row with its position, so that only visible rows are drawn. */
export function rowsOf(newestFirst: readonly Checkpoint[], clock: Clock): readonly Row[] {
  const rows: Row[] = []
  let day: number | null = null
  let top = 0
  for (const [index, checkpoint] of newestFirst.entries()) {
    if (startOfDay(checkpoint.at) !== day) {
      day = startOfDay(checkpoint.at)
      rows.push({ kind: 'day', title: dayWords(day, clock), top, height: DAY_PX })
      top += DAY_PX
    }
    rows.push({ kind: 'checkpoint', checkpoint, index, top, height: ROW_PX })
    top += ROW_PX
  }
  return rows
}

export const heightOf = (rows: readonly Row[]): number => (rows.at(-1)?.top ?? 0) + (rows.at(-1)?.height ?? 0)

const BEYOND_PX = 300 // drawn beforehand, so that a quick scroll shows no hole

export function rowsInSight(rows: readonly Row[], { top, height }: { readonly top: number; readonly height: number }): readonly Row[] {
  return rows.filter((row) => row.top + row.height >= top - BEYOND_PX && row.top <= top + height + BEYOND_PX)
}

/** Where the list must be scrolled to so that the chosen one is seen whole, with its day where that is right above it. */
export function scrolledTo(rows: readonly Row[], id: string, seen: { readonly top: number; readonly height: number }): number {
  const at = rows.findIndex((row) => row.kind === 'checkpoint' && row.checkpoint.id === id)
  const row = rows[at]
  if (row === undefined) return seen.top
  const above = rows[at - 1]
  const first = above?.kind === 'day' ? above.top : row.top
  if (first < seen.top) return first
  return row.top + row.height > seen.top + seen.height ? row.top + row.height - seen.height : seen.top
}

const PAGE_ROWS = 8

/** The one that a key leads to; null where the key means nothing. Newest is first. */
export function chosenByKey(key: string, at: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    ArrowRight: at - 1, // the strip runs from old to new
    ArrowLeft: at + 1,
    PageUp: at - PAGE_ROWS,
    PageDown: at + PAGE_ROWS,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, next))
}

/** The selection after the list has changed: the same checkpoint, else the one before it, else the newest. */
export function stillChosen(before: readonly Checkpoint[], after: readonly Checkpoint[], chosen: string | null): string | null {
  const kept = new Set(after.map(({ id }) => id))
  if (chosen !== null && kept.has(chosen)) return chosen
  const at = before.findIndex(({ id }) => id === chosen)
  const older = at < 0 ? undefined : before.slice(at).find(({ id }) => kept.has(id))
  const newer = at < 0 ? undefined : before.slice(0, at).findLast(({ id }) => kept.has(id))
  return (older ?? newer ?? after[0])?.id ?? null
}

export type Tick = { readonly at: number; readonly standsOut: boolean }
export type DayLabel = { readonly at: number; readonly title: string }

const LEAST_LABEL_ROOM = 0.11 // of the strip's width: about as much as a date takes

/** The strip from the oldest to the newest, in parts of its width; a day is named where there is room for its name. */
export function stripOf(
  newestFirst: readonly Checkpoint[],
  clock: Clock,
): { readonly ticks: readonly Tick[]; readonly days: readonly DayLabel[] } {
  const oldestFirst = newestFirst.toReversed()
  const last = Math.max(1, oldestFirst.length - 1)
  const ticks = oldestFirst.map((checkpoint, index) => ({ at: index / last, standsOut: standsOut(checkpoint) }))
  const days: DayLabel[] = []
  for (const [index, checkpoint] of newestFirst.entries()) {
    const older = newestFirst[index + 1]
    const isFirstOfDay = older === undefined || startOfDay(older.at) !== startOfDay(checkpoint.at)
    const at = (newestFirst.length - 1 - index) / last
    if (isFirstOfDay && at <= 1 - LEAST_LABEL_ROOM / 2 && (days.at(-1)?.at ?? 2) - at >= LEAST_LABEL_ROOM)
      days.push({ at, title: dayWords(checkpoint.at, clock) })
  }
  return { ticks, days: days.toReversed() }
}
