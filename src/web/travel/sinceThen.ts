/** What is different now from a checkpoint, in words and as marks on its plan. Pure. */
import type { TopologyView } from '../../wire/topologyView.ts'
import type { Difference, ShownDiff, TerminalDiff, ThingDiff } from '../../workspace/checkpoint/checkpointDiff.ts'
import { keepOnly, type Layout, type LayoutNode, terminalsOf } from '../../workspace/layout/layout.ts'
import { workspacesOf } from '../state/standing.ts'
import { shortPath } from '../state/words.ts'

export type SinceMark = 'gone' | 'new' | 'moved' | 'changed'

export const SINCE_WORDS: Readonly<Record<SinceMark, string>> = {
  gone: 'Gone since',
  new: 'New since',
  moved: 'Moved since',
  changed: 'Changed since',
}

type SinceLine = { readonly mark: SinceMark; readonly id: string; readonly name: string; readonly words: string }

export type Since = {
  readonly lines: readonly SinceLine[]
  /** What the tile of a terminal says. */
  readonly marks: ReadonlyMap<string, SinceMark>
  /** What is too small for a line each. */
  readonly notes: readonly string[]
}

export function sinceThen(diff: ShownDiff, then: TopologyView, now: TopologyView | null): Since {
  const moved = now === null ? null : movedAmongThose(then, now)
  const terminals = diff.terminals.map((terminal) => ({ terminal, line: terminalLine(terminal, moved) }))
  const lines = terminals.flatMap(({ line }) => line ?? [])
  return {
    lines: [...ORDER.flatMap((mark) => lines.filter((line) => line.mark === mark)), ...placeLines(diff)],
    marks: new Map(lines.map(({ id, mark }) => [id, mark])),
    notes: notesOf(diff, new Set(lines.map(({ id }) => id))),
  }
}

const ORDER: readonly SinceMark[] = ['gone', 'new', 'moved', 'changed']

function terminalLine(terminal: TerminalDiff<string>, moved: ReadonlySet<string> | null): SinceLine | null {
  const { id, name } = terminal
  switch (terminal.kind) {
    case 'went':
      return { mark: 'gone', id, name, words: terminal.workspace === null ? '' : `was in ${terminal.workspace}` }
    case 'appeared':
      return { mark: 'new', id, name, words: terminal.workspace === null ? '' : `in ${terminal.workspace}` }
    case 'differs': {
      const moves = moveWords(terminal.moves, moved?.has(id) !== false)
      const changes = changeWords(terminal.changes)
      if (moves.length + changes.length === 0) return null
      return { mark: moves.length > 0 ? 'moved' : 'changed', id, name, words: [...moves, ...changes].join('; ') }
    }
  }
}

/** Who went to another workspace has another place there as a matter of course. */
function moveWords(moves: readonly Difference[], isMoved: boolean): readonly string[] {
  const away = moves.filter(({ what }) => what === 'workspace')
  const told = away.length > 0 ? away : moves.filter(({ what }) => what !== 'slot' || isMoved)
  return told.flatMap((move) => MOVES[move.what]?.(move) ?? [])
}

/** The order of the dock is told of all at once. */
const MOVES: Readonly<Record<string, (move: Difference) => string>> = {
  workspace: ({ from, to }) => `from ${from} to ${to}`,
  slot: () => 'moved in the layout',
  canvas: () => 'moved on the canvas',
}

/**
 * Terminals that moved among those that stayed in their workspace. A terminal that was added or removed makes others larger or
 * smaller, and does not count as a move of theirs.
 */
function movedAmongThose(then: TopologyView, now: TopologyView): ReadonlySet<string> {
  const later = new Map(workspacesOf(now).map((workspace) => [workspace.id, workspace.layout]))
  const moved = workspacesOf(then).flatMap(({ id, layout }) => {
    const after = later.get(id)
    if (after === undefined) return []
    const stayed = new Set<string>(terminalsOf(layout).filter((terminal) => terminalsOf(after).includes(terminal)))
    const [was, is] = [waysIn(layout, stayed), waysIn(after, stayed)]
    return [...stayed].filter((terminal) => was.get(terminal) !== is.get(terminal))
  })
  return new Set(moved)
}

/** The way to each of these terminals, as if there were no others. */
function waysIn(layout: Layout, those: ReadonlySet<string>): ReadonlyMap<string, string> {
  const { root } = keepOnly(layout, (id) => those.has(id))
  return new Map(root === null ? [] : waysUnder(root, ''))
}

function waysUnder(node: LayoutNode, way: string): readonly (readonly [string, string])[] {
  if (node.kind === 'slot') return node.terminals.map((terminal, tab) => [terminal, `${way} tab ${tab}`])
  return node.children.flatMap((child, index) => waysUnder(child.node, `${way} ${node.direction} ${index}`))
}

/**
 * A program that began or ended explains the changes that follow from it. Changed screens are summed up elsewhere, and a size depends
 * on the client that looks: no restore brings it back.
 */
function changeWords(changes: readonly Difference[]): readonly string[] {
  const hasState = changes.some(({ what }) => what === 'state')
  return changes.flatMap((change) => (hasState && FOLLOWS.has(change.what) ? [] : (CHANGES[change.what]?.(change) ?? [])))
}

const FOLLOWS: ReadonlySet<string> = new Set(['run', 'agent'])

const wasAndIs = (from: string, to: string): string => `was ${from}, is ${to}`

const CHANGES: Readonly<Record<string, (change: Difference) => string>> = {
  state: ({ from, to }) => (stateWords(from) === stateWords(to) ? 'slept and woke' : wasAndIs(stateWords(from), stateWords(to))),
  name: ({ from, to }) => (from === 'none' ? `named “${to}”` : to === 'none' ? `no longer named “${from}”` : `was called “${from}”`),
  cwd: ({ from, to }) => `was in ${shortPath(from)}, is in ${shortPath(to)}`,
  startedIn: ({ from, to }) => `starts in ${shortPath(to)}, not in ${shortPath(from)}`,
  command: ({ from, to }) => wasAndIs(from, to),
  args: () => 'arguments changed',
  env: () => 'variables changed',
  run: () => 'program restarted',
  agent: () => 'agent changed',
  conversation: () => 'conversation changed',
  theme: () => 'colors changed',
  pinned: ({ to }) => (to === 'true' ? 'pinned' : 'unpinned'),
  muted: ({ to }) => (to === 'true' ? 'muted' : 'unmuted'),
  onRestore: () => 'crash policy changed',
  created: () => 'recreated',
}

const STATES: Readonly<Record<string, string>> = { live: 'running', waking: 'starting', settling: 'ending', asleep: 'asleep' }
const ASLEEP: Readonly<Record<string, string>> = { exited: 'ended', lost: 'lost', failed: 'not started' }

/** Of what the difference holds as text. */
function stateWords(text: string): string {
  const { state, because } = parsed(text)
  const kind = typeof because === 'object' && because !== null && 'kind' in because ? String(because.kind) : ''
  return ASLEEP[kind] ?? STATES[String(state)] ?? 'in another state'
}

function parsed(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function placeLines({ workspaces, groups }: ShownDiff): readonly SinceLine[] {
  return [...workspaces.flatMap((thing) => placeLine('workspace', thing)), ...groups.flatMap((thing) => placeLine('group', thing))]
}

function placeLine(what: string, thing: ThingDiff<string>): readonly SinceLine[] {
  const line = { id: thing.id, name: `${what} ${thing.name}` }
  if (thing.kind !== 'differs') return [{ ...line, mark: thing.kind === 'went' ? 'gone' : 'new', words: '' }]
  const words = thing.changes.flatMap((change) => PLACES[change.what]?.(change) ?? [])
  return words.length === 0 ? [] : [{ ...line, mark: 'changed', words: words.join('; ') }]
}

const PLACES: Readonly<Record<string, (change: Difference) => string>> = {
  name: ({ from }) => `was called “${from}”`,
  place: () => 'moved',
  view: ({ from, to }) => `was shown as ${from}, is shown as ${to}`,
  layout: () => 'layout changed',
  color: ({ from, to }) => `was ${from}, is ${to}`,
}

function notesOf({ terminals }: ShownDiff, told: ReadonlySet<string>): readonly string[] {
  const quiet = terminals.filter(({ kind, id }) => kind === 'differs' && !told.has(id))
  const screens = quiet.filter((terminal) => terminal.kind === 'differs' && terminal.changes.some(({ what }) => what === 'screen')).length
  const isDockOther = terminals.some((terminal) => terminal.kind === 'differs' && terminal.moves.some(({ what }) => what === 'dock'))
  return [
    ...(screens === 0
      ? []
      : [`${screens}${told.size === 0 ? '' : ' other'} ${screens === 1 ? 'terminal has' : 'terminals have'} new output.`]),
    ...(isDockOther ? ['The order of the dock changed.'] : []),
  ]
}
