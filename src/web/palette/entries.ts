/** What the palette can list: one entry for each terminal, action, workspace, checkpoint and line of history. Pure. */
import type { Outcome } from '../../wire/commands/commands.ts'
import { SCHEME_NAMES } from '../../wire/pageSettings.ts'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { ON_RESTORE } from '../../workspace/terminal/terminal.ts'
import type { Action } from '../actions/action.ts'
import { placeOf } from '../dock/dockRows.ts'
import { wantOf } from '../state/needsYou.ts'
import type { Topic } from '../state/overlay.ts'
import { agentWordsOf, describe, howLong, type Mark, markOf, nameOf, shortPath } from '../state/words.ts'
import { schemeLabel } from '../tiles/draw/schemes.ts'
import { KIND_WORDS } from '../travel/timeline.ts'
import type { Rankable, Span } from './ranking.ts'

/** What happens when an entry is chosen. */
export type Choice =
  | { readonly kind: 'terminal'; readonly id: string }
  | { readonly kind: 'action'; readonly id: string }
  | { readonly kind: 'workspace'; readonly id: string }
  | { readonly kind: 'line'; readonly terminal: string; readonly text: string }
  | { readonly kind: 'theme'; readonly terminal: string; readonly theme: string | null }
  | { readonly kind: 'move'; readonly terminal: string; readonly workspace: string }
  | { readonly kind: 'afterCrash'; readonly terminal: string; readonly onRestore: (typeof ON_RESTORE)[number] }
  | { readonly kind: 'reopen'; readonly id: string }
  | { readonly kind: 'checkpoint'; readonly id: string }

export type Entry = Rankable & {
  readonly choice: Choice
  readonly mark?: Mark
  readonly keys?: string | null
  readonly isDanger?: boolean
  /** What is marked in its label whatever was typed. */
  readonly spans?: readonly Span[]
}

export function terminalEntry(
  terminal: TerminalView,
  { workspace, now }: { readonly workspace: string | null; readonly now: number },
): Entry {
  const state = agentWordsOf(terminal, now)?.state ?? describe(terminal).state
  return {
    id: `terminal ${terminal.id}`,
    label: nameOf(terminal),
    detail: [workspace, terminal.project?.name, placeOf(terminal), state === 'Live' ? null : state].filter(Boolean).join(' · '),
    also: [terminal.title, terminal.command, terminal.project?.name, agentOf(terminal)?.label].join(' '),
    mark: markOf(terminal),
    choice: { kind: 'terminal', id: terminal.id },
  }
}

export function needsYouEntry(terminal: TerminalView, now: number): Entry {
  const agent = agentOf(terminal)
  const detail = [`${agent?.label} ${wantOf(terminal)}`, howLong(agent?.since ?? now, now), agent?.words].filter(Boolean).join(' · ')
  return { ...terminalEntry(terminal, { workspace: null, now }), detail }
}

export const actionEntry = (
  { id, title, titleNow, group, also = '' }: Action,
  keys: string | null,
  state: Parameters<NonNullable<Action['titleNow']>>[0],
): Entry => ({
  id: `action ${id}`,
  label: titleNow?.(state) ?? title,
  detail: group,
  also: `${titleNow === undefined ? '' : title} ${also} ${id}`,
  keys,
  choice: { kind: 'action', id },
})

export const workspaceEntry = ({ id, name }: WorkspaceView, count: number): Entry => ({
  id: `workspace ${id}`,
  label: name,
  detail: count === 1 ? '1 terminal' : `${count} terminals`,
  also: 'workspace',
  choice: { kind: 'workspace', id },
})

type Checkpoint = Outcome<'checkpoint.list'>[number]

export function checkpointEntry({ id, at, kind, note, terminalCount, knownGood }: Checkpoint, now: number): Entry {
  const age = howLong(at, now)
  return {
    id: `checkpoint ${id}`,
    label: note ?? `${KIND_WORDS[kind]}, ${age === 'now' ? 'just now' : `${age} ago`}`,
    detail: [
      new Date(at).toLocaleString(),
      terminalCount === 1 ? '1 terminal' : `${terminalCount} terminals`,
      ...(knownGood ? [] : ['incomplete']),
    ].join(' · '),
    also: `checkpoint restore ${id} ${kind}`,
    choice: { kind: 'checkpoint', id },
  }
}

type Closed = Outcome<'terminal.closed'>[number]

export function closedEntry({ id, name, command, directory, workspace, at }: Closed, now: number): Entry {
  const age = howLong(at, now)
  return {
    id: `closed ${id}`,
    label: name ?? command,
    detail: [workspace, shortPath(directory), age === 'now' ? 'closed just now' : `closed ${age} ago`].filter(Boolean).join(' · '),
    also: command,
    choice: { kind: 'reopen', id },
  }
}

type Hit = Outcome<'search.query'>['hits'][number]

/** The line without what it is indented by, with its words marked. */
export function lineEntry(hit: Hit, { name, now }: { readonly name: string; readonly now: number }): Entry {
  const indent = hit.line.length - hit.line.trimStart().length
  const spans = hit.spans.map(({ from, to }) => ({ from: Math.max(0, from - indent), to: Math.max(0, to - indent) }))
  const age = howLong(hit.at, now)
  return {
    id: `line ${hit.terminal} ${hit.run} ${hit.number ?? hit.line}`,
    label: hit.line.trim(),
    detail: [name, age === 'now' ? 'just now' : `${age} ago`, ...(hit.isPast ? ['earlier run'] : [])].join(' · '),
    spans,
    choice: { kind: 'line', terminal: hit.terminal, text: hit.line.slice(hit.spans[0]?.from ?? 0, hit.spans[0]?.to ?? hit.line.length) },
  }
}

const CRASH_WORDS: Readonly<Record<(typeof ON_RESTORE)[number], string>> = {
  policy: 'Default',
  wake: 'Always wake',
  sleep: 'Never wake',
}

/** What is chosen among when it is about one thing. */
export function topicEntries(
  topic: Topic,
  given: { readonly terminal: TerminalView | null; readonly workspaces: readonly WorkspaceView[] },
): readonly Entry[] {
  const { terminal, workspaces } = given
  const isNow = (yes: boolean): string => (yes ? 'current' : '')
  switch (topic.kind) {
    case 'theme':
      return [null, ...SCHEME_NAMES].map((theme) => ({
        id: `theme ${theme}`,
        label: theme === null ? 'Default' : schemeLabel(theme),
        detail: isNow(terminal?.theme === theme),
        choice: { kind: 'theme', terminal: topic.terminal, theme },
      }))
    case 'move':
      return workspaces.map(({ id, name }) => ({
        id: `move ${id}`,
        label: name,
        detail: isNow(terminal?.workspace === name),
        choice: { kind: 'move', terminal: topic.terminal, workspace: id },
      }))
    case 'afterCrash':
      return ON_RESTORE.map((onRestore) => ({
        id: `afterCrash ${onRestore}`,
        label: CRASH_WORDS[onRestore],
        detail: isNow(terminal?.onRestore === onRestore),
        choice: { kind: 'afterCrash', terminal: topic.terminal, onRestore },
      }))
    case 'closed':
      return []
  }
}
