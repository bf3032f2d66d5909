/** Which rows the dock has, and where one goes that is moved. It never reorders by itself: all follows from the dock's own order. Pure. */
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { needingYou } from '../state/needsYou.ts'
import { nameOf, shortPath } from '../state/words.ts'

export type DockGroup = {
  readonly key: string
  readonly name: string
  /** Where its repository is; null for groups that are none. */
  readonly root: string | null
  /** Their ids. */
  readonly terminals: readonly string[]
}

/** How many rows there must be for a filter; fewer are seen at a glance. */
export const FILTER_FROM = 13

export type DockRows = {
  readonly groups: readonly DockGroup[]
  /** The ids of those that need the user. */
  readonly needing: readonly string[]
  readonly count: number
  readonly asleep: number
}

type Shown = { readonly focused: string | null; readonly filter: string; readonly isAsleepHidden: boolean }

/** Only ids and counts, so that a change within one row changes nothing here. Null: the terminals are not known yet. */
export function rowsOf(terminals: readonly TerminalView[] | null, { focused, filter, isAsleepHidden }: Shown): DockRows | null {
  if (terminals === null) return null
  const listed = isAsleepHidden ? awakeRows(terminals, focused) : terminals
  return {
    groups: dockGroups(terminals.length >= FILTER_FROM ? filterRows(listed, filter) : listed),
    needing: needingYou(terminals).map(({ id }) => id),
    count: terminals.length,
    asleep: terminals.filter(({ state }) => state === 'asleep').length,
  }
}

/** Pinned ones first, then one group for each repository, in the order in which the dock has the first terminal of each. */
export function dockGroups(terminals: readonly TerminalView[]): readonly DockGroup[] {
  const keys = [...new Set(terminals.map(keyOf))].sort((a, b) => Number(b === PINNED) - Number(a === PINNED))
  return keys.map((key) =>
    groupOf(
      key,
      terminals.filter((terminal) => keyOf(terminal) === key),
    ),
  )
}

const PINNED = 'pinned'
const ELSEWHERE = 'elsewhere'

const keyOf = ({ pinned, project }: TerminalView): string => (pinned ? PINNED : project === null ? ELSEWHERE : `in ${project.root}`)

function groupOf(key: string, terminals: readonly TerminalView[]): DockGroup {
  const ids = terminals.map(({ id }) => id)
  if (key === PINNED) return { key, name: 'Pinned', root: null, terminals: ids }
  const project = terminals[0]?.project ?? null
  return { key, name: project?.name ?? 'Not in a repository', root: project?.root ?? null, terminals: ids }
}

/** Every word must be somewhere in what the row shows. */
export function filterRows(terminals: readonly TerminalView[], text: string): readonly TerminalView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return terminals.filter((terminal) => {
    const shown = [nameOf(terminal), terminal.title, terminal.directory, terminal.command, agentOf(terminal)?.label, terminal.project?.name]
    const all = [...shown, terminal.repository?.branch, terminal.state].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** Without asleep terminals, except the focused one: the keyboard must not be on a hidden row. */
const awakeRows = (terminals: readonly TerminalView[], focused: string | null): readonly TerminalView[] =>
  terminals.filter(({ id, state }) => state !== 'asleep' || id === focused)

export type Drop = { readonly target: string; readonly side: 'before' | 'after' }

export type Box = { readonly id: string; readonly top: number; readonly bottom: number }

/** The row that the pointer is over, or nearest to, and on which side of its middle. */
export function dropFor(boxes: readonly Box[], y: number): Drop | null {
  const distance = ({ top, bottom }: Box): number => Math.max(top - y, y - bottom, 0)
  const nearest = boxes.toSorted((a, b) => distance(a) - distance(b))[0]
  return nearest === undefined ? null : { target: nearest.id, side: y < (nearest.top + nearest.bottom) / 2 ? 'before' : 'after' }
}

/** The place in the dock that `dock.move` takes: counted without the one that moves. Null when it would stay where it is. */
export function dropIndex(dock: readonly string[], terminal: string, { target, side }: Drop): number | null {
  const others = dock.filter((id) => id !== terminal)
  const at = others.indexOf(target)
  if (at === -1 || target === terminal) return null
  const index = side === 'before' ? at : at + 1
  return index === dock.indexOf(terminal) ? null : index
}

/** One row up or down, within its group: what it belongs to is not for the hand to change. */
export function stepIndex(groups: readonly DockGroup[], dock: readonly string[], { terminal, step }: Step): number | null {
  const row = groups.find(({ terminals }) => terminals.includes(terminal))?.terminals ?? []
  const target = row[row.indexOf(terminal) + step]
  return target === undefined ? null : dropIndex(dock, terminal, { target, side: step === 1 ? 'after' : 'before' })
}

type Step = { readonly terminal: string; readonly step: 1 | -1 }

/** Where it is, as short as can be: beside a group's heading its root need not be said again. */
export function placeOf({ directory, repository, project }: TerminalView): string {
  const branch = repository?.branch ?? repository?.worktree ?? null
  const inside = project !== null && directory.startsWith(`${project.root}/`) ? directory.slice(project.root.length + 1) : null
  const place = directory === project?.root ? null : (inside ?? shortPath(directory))
  return [branch, place].filter((part) => part !== null).join(' · ')
}
