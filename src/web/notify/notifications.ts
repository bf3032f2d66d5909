/**
 * Which notifications the user gets: an agent needs the user or is done, or a program ended, in a terminal that the user does not see.
 * Pure: the terminals before and now, and where the user looks, go in; notes come out.
 */
import type { PageSettings } from '../../wire/pageSettings.ts'
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { needsYou, wantOf } from '../state/needsYou.ts'
import { describe, nameOf } from '../state/words.ts'

export type Note = {
  readonly terminal: string
  readonly kind: 'needsYou' | 'done' | 'ended'
  readonly title: string
  readonly text: string
}

/** Goes with a notification, and from the worker to the page when it is clicked. */
export type FocusMessage = { readonly terminal: string }

/** How each terminal was when it was looked at last, by its id. */
export type Known = ReadonlyMap<string, string>

export type Looking = {
  /** Whether the page is visible. */
  readonly isVisible: boolean
  /** Whether it has the keyboard of the machine. */
  readonly hasFocus: boolean
  readonly focused: string | null
}

/** One text for each way in which a terminal can call: the same text twice is no news. */
export const knownOf = (terminals: readonly TerminalView[], before: Known = new Map()): Known =>
  new Map(terminals.map((terminal) => [terminal.id, callOf(terminal, before.get(terminal.id))]))

/** A daemon that comes back does not know at once how an agent does: what was known stays until it does. */
function callOf(terminal: TerminalView, before: string | undefined): string {
  const { state } = terminal
  if (terminal.state === 'asleep') return `asleep ${terminal.because.kind} ${terminal.run}`
  const agent = agentOf(terminal)
  if (agent === null || agent.state === 'unknown') return before === undefined || before.startsWith('asleep') ? state : before
  return agent.state === 'needs-you' || agent.state === 'done' ? `${agent.state} ${agent.wants} ${agent.words}` : state
}

/** What is new since `known`. A terminal that was not known before is not news: it was so already. */
export function notesOf(known: Known, terminals: readonly TerminalView[], looking: Looking): readonly Note[] {
  return terminals.flatMap((terminal) => {
    const before = known.get(terminal.id)
    if (before === undefined || before === callOf(terminal, before) || terminal.muted) return []
    const note = noteOf(terminal, before)
    return note === null || isSeen(terminal.id, note, looking) ? [] : [note]
  })
}

/** A terminal that the user sees needs no note. The end of a program is noted only while the page is hidden. */
function isSeen(terminal: string, { kind }: Note, { isVisible, hasFocus, focused }: Looking): boolean {
  if (!isVisible) return false
  return kind === 'ended' ? true : hasFocus && terminal === focused
}

function noteOf(terminal: TerminalView, before: string): Note | null {
  const shared = { terminal: terminal.id, title: nameOf(terminal) }
  const agent = agentOf(terminal)
  if (needsYou(terminal)) return { ...shared, kind: 'needsYou', text: sentence(`${agent?.label} ${wantOf(terminal)}`, agent?.words) }
  if (agent?.state === 'done') return { ...shared, kind: 'done', text: sentence(`${agent.label} is done`, agent.words) }
  const hasEnded = terminal.state === 'asleep' && !before.startsWith('asleep') && terminal.because.kind !== 'slept'
  return hasEnded ? { ...shared, kind: 'ended', text: describe(terminal).state } : null
}

const LONGEST_WORDS = 160 // systems show two lines or three

const sentence = (head: string, words: string | null | undefined): string =>
  words ? `${head}: ${words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words}` : head

/** Whether anything may be said now. */
export function mayNotify({ notifications, quietHours }: Pick<PageSettings, 'notifications' | 'quietHours'>, now: Date): boolean {
  return notifications && !isQuiet(quietHours, now)
}

/** As in `22:00-07:00`: from the first minute up to the last, over midnight too. Empty or unreadable: never. */
export function isQuiet(quietHours: string, now: Date): boolean {
  const [, fromH, fromM, toH, toM] = quietHours.match(/^(\d\d):(\d\d)-(\d\d):(\d\d)$/)?.map(Number) ?? []
  if (fromH === undefined || fromM === undefined || toH === undefined || toM === undefined) return false
  const [from, to, at] = [fromH * 60 + fromM, toH * 60 + toM, now.getHours() * 60 + now.getMinutes()]
  return from < to ? from <= at && at < to : at >= from || at < to
}

/** How many unmuted terminals need the user. */
export const badgeOf = (terminals: readonly TerminalView[]): number =>
  terminals.filter((terminal) => needsYou(terminal) && !terminal.muted).length

export const titleOf = (count: number, name: string | null): string =>
  `${count === 0 ? '' : `(${count}) `}${name === null ? '' : `${name} · `}Holdfast`

/** The page's icon with a number on it, as a data URL. */
export function iconOf(count: number): string {
  const sign = count > 9 ? '9+' : String(count)
  const dot =
    count === 0
      ? ''
      : `<circle cx="23" cy="9" r="9" fill="#d9480f"/><text x="23" y="13.5" font-family="sans-serif" font-size="${sign.length > 1 ? 11 : 13}" font-weight="700" text-anchor="middle" fill="#fff">${sign}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4453c9"/><path d="M11 8v16M21 8v16M11 16h10" stroke="#fff" stroke-width="3.5" stroke-linecap="round" fill="none"/>${dot}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
