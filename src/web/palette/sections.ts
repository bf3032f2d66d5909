/** What the palette shows for what was typed: which sections, in which order, and what is said in place of entries. Pure. */
import type { Outcome } from '../../wire/commands/commands.ts'
import type { TerminalView } from '../../wire/view.ts'
import { type Action, keysOf } from '../actions/action.ts'
import { ACTIONS } from '../actions/actions.ts'
import { needingYou, needsYou } from '../state/needsYou.ts'
import type { Topic } from '../state/overlay.ts'
import type { PageState } from '../state/page.ts'
import { nameElsewhere, terminalsOfWorkspace, workspacesOf } from '../state/standing.ts'
import { nameOf } from '../state/words.ts'
import { type Asked, lastOf } from '../ui/useAsked.ts'
import {
  actionEntry,
  checkpointEntry,
  closedEntry,
  type Entry,
  lineEntry,
  needsYouEntry,
  terminalEntry,
  topicEntries,
  workspaceEntry,
} from './entries.ts'
import { type Ranked, rank } from './ranking.ts'

export type Section = {
  readonly title: string
  readonly entries: readonly Ranked<Entry>[]
  /** What is said below its entries, or in their place. */
  readonly note: string | null
}

export type Mode = 'all' | 'terminals' | 'actions' | 'history'

export const PREFIXES: readonly { readonly prefix: string; readonly mode: Mode; readonly hint: string }[] = [
  { prefix: '@', mode: 'terminals', hint: 'terminals' },
  { prefix: '>', mode: 'actions', hint: 'actions' },
  { prefix: '#', mode: 'history', hint: 'history' },
]

export function readText(text: string): { readonly mode: Mode; readonly query: string } {
  const found = PREFIXES.find(({ prefix }) => text.startsWith(prefix))
  return found === undefined ? { mode: 'all', query: text.trim() } : { mode: found.mode, query: text.slice(1).trim() }
}

/** Shorter words are in every other line. */
const SHORTEST_SEARCH = 3

/** What is to be searched in the history for this text; null for nothing. */
export function searchFor(text: string, topic: Topic | undefined): string | null {
  const { mode, query } = readText(text)
  const isWanted = topic === undefined && (mode === 'history' || mode === 'all')
  return isWanted && query.length >= SHORTEST_SEARCH ? query : null
}

export type Given = {
  readonly state: Pick<PageState, 'terminals' | 'topology' | 'settings' | 'focused' | 'workspace'>
  readonly isPossible: (action: Action) => boolean
  readonly recents: readonly string[]
  readonly checkpoints: Asked<Outcome<'checkpoint.list'>>
  /** Asked only where one of them is chosen. */
  readonly closed: Asked<Outcome<'terminal.closed'>>
  readonly hits: Asked<Outcome<'search.query'>>
  readonly now: number
}

// Enough to see what there is; typing finds the rest.
const FEW = 6
const MANY = 40

export function sectionsOf(text: string, topic: Topic | undefined, given: Given): readonly Section[] {
  const { mode, query } = readText(text)
  const all = topic === undefined ? modeSections(mode, query, given) : [topicSection(topic, query, given)]
  return all.filter(({ entries, note }) => entries.length > 0 || note !== null)
}

function modeSections(mode: Mode, query: string, given: Given): readonly Section[] {
  switch (mode) {
    case 'all':
      return [
        ...terminalSections(query, given),
        actionSection(query, { ...given, most: FEW }),
        workspaceSection(query, given),
        checkpointSection(query, { ...given, most: query === '' ? 2 : FEW }),
        historySection(query, { ...given, isAsked: false }),
      ]
    case 'terminals':
      return terminalSections(query, given)
    case 'actions':
      return query === '' ? actionGroups(given) : [actionSection(query, { ...given, most: ACTIONS.length })]
    case 'history':
      return [historySection(query, { ...given, isAsked: true })]
  }
}

const section = (title: string, entries: readonly Ranked<Entry>[], most: number): Section => ({
  title,
  entries: entries.slice(0, most),
  note: null,
})

function terminalSections(query: string, { state, recents, now }: Given): readonly Section[] {
  const terminals = state.terminals ?? []
  const entryOf = (terminal: TerminalView): Entry =>
    terminalEntry(terminal, { workspace: nameElsewhere(state.topology, terminal.id, state.workspace), now })
  const calm = terminals.filter((terminal) => !needsYou(terminal))
  // Who opens the palette wants to go elsewhere: where one is comes last.
  const elsewhere = [...calm.filter(({ id }) => id !== state.focused), ...calm.filter(({ id }) => id === state.focused)]
  const usable = recents.filter((id) => id !== `terminal ${state.focused}`)
  return [
    section(
      'Needs you',
      rank(
        needingYou(terminals).map((terminal) => needsYouEntry(terminal, now)),
        { query, recents: [] },
      ),
      MANY,
    ),
    section('Terminals', rank(elsewhere.map(entryOf), { query, recents: usable }), MANY),
  ]
}

function actionSection(query: string, { state, isPossible, recents, most }: Given & { readonly most: number }): Section {
  const possible = ACTIONS.filter((action) => action.id !== 'palette' && isPossible(action))
  const entries = possible.map((action) => actionEntry(action, keysOf(action, state.settings.keys), state))
  return section('Actions', rank(entries, { query, recents }), most)
}

/** Without a query all of them, as a list to read. */
function actionGroups({ state, isPossible }: Given): readonly Section[] {
  const possible = ACTIONS.filter((action) => action.id !== 'palette' && isPossible(action))
  return [...new Set(possible.map(({ group }) => group))].map((group) => ({
    title: group,
    entries: possible
      .filter((action) => action.group === group)
      .map((action) => ({ entry: { ...actionEntry(action, keysOf(action, state.settings.keys), state), detail: '' }, spans: [] })),
    note: null,
  }))
}

function workspaceSection(query: string, { state, recents }: Given): Section {
  const others = workspacesOf(state.topology).filter(({ id }) => id !== state.workspace)
  const entries = others.map((workspace) => workspaceEntry(workspace, terminalsOfWorkspace(workspace).length))
  return section('Workspaces', rank(entries, { query, recents }), MANY)
}

function checkpointSection(query: string, { checkpoints, now, most }: Given & { readonly most: number }): Section {
  const entries = (lastOf(checkpoints) ?? []).map((checkpoint) => checkpointEntry(checkpoint, now))
  const found = section('Checkpoints', rank(entries, { query, recents: [] }), most)
  return { ...found, note: checkpoints.kind === 'refused' ? checkpoints.refusal.message : null }
}

function historySection(query: string, { state, hits, now, isAsked }: Given & { readonly isAsked: boolean }): Section {
  if (query.length < SHORTEST_SEARCH) return { title: 'History', entries: [], note: isAsked ? 'Type at least three letters.' : null }
  const names = new Map((state.terminals ?? []).map((terminal) => [terminal.id, nameOf(terminal)]))
  const found = (lastOf(hits)?.hits ?? []).filter(({ terminal }) => names.has(terminal))
  const entries = found.map((hit) => lineEntry(hit, { name: names.get(hit.terminal) ?? hit.terminal, now }))
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  return { title: 'History', entries: unique.map((entry) => ({ entry, spans: entry.spans ?? [] })), note: historyNote(hits, unique.length) }
}

function historyNote(hits: Given['hits'], count: number): string | null {
  switch (hits.kind) {
    case 'idle':
    case 'asking':
      return 'Searching…'
    case 'refused':
      return hits.refusal.message
    case 'answered': {
      const missing = hits.value.pending.length
      if (missing > 0) return `The newest lines of ${missing === 1 ? 'a terminal' : `${missing} terminals`} are still being indexed.`
      if (count === 0) return 'No matches in history'
      return hits.value.more ? 'More matches: type more to narrow them' : null
    }
  }
}

const TOPIC_TITLES: Readonly<Record<Topic['kind'], string>> = {
  theme: 'Colors',
  move: 'Move to workspace',
  afterCrash: 'After a crash',
  closed: 'Reopen',
}

export const topicTitle = ({ kind }: Topic): string => TOPIC_TITLES[kind]

function topicSection(topic: Topic, query: string, given: Given): Section {
  if (topic.kind === 'closed') return closedSection(query, given)
  const { state } = given
  const terminal = state.terminals?.find(({ id }) => id === topic.terminal) ?? null
  const entries = topicEntries(topic, { terminal, workspaces: workspacesOf(state.topology) })
  return section(topicTitle(topic), rank(entries, { query, recents: [] }), MANY)
}

function closedSection(query: string, { closed, now }: Given): Section {
  const entries = (lastOf(closed) ?? []).map((each) => closedEntry(each, now))
  const found = section(topicTitle({ kind: 'closed' }), rank(entries, { query, recents: [] }), MANY)
  if (closed.kind === 'refused') return { ...found, note: closed.refusal.message }
  if (found.entries.length > 0) return found
  return { ...found, note: closed.kind === 'answered' ? 'No terminal was closed in the last five minutes.' : 'Asking the daemon…' }
}
