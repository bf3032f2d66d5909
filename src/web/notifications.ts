/**
 * Of what somebody is notified: an agent that needs somebody or is done, a program that ended, and nobody looks. Pure: what
 * was known, what is known, and who looks where go in, notes come out.
 */
import type { PageSettings } from '../wire/pageSettings.ts'
import type { TerminalView } from '../wire/view.ts'
import { needsYou, wantOf } from './dock/dockRows.ts'
import { describe, nameOf } from './words.ts'

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
  /** Whether somebody can see the page. */
  readonly isVisible: boolean
  /** Whether it has the keyboard of the machine. */
  readonly hasFocus: boolean
  readonly focused: string | null
}

/** One text for each way in which a terminal can call: the same text twice is no news. */
export const knownOf = (terminals: readonly TerminalView[], before: Known = new Map()): Known =>
  new Map(terminals.map((terminal) => [terminal.id, callOf(terminal, before.get(terminal.id))]))

/** A daemon that comes back does not know at once how an agent does: what was known stays until it does. */
function callOf({ state, agent, run, because }: TerminalView, before: string | undefined): string {
  if (state === 'asleep') return `asleep ${because?.kind} ${run}`
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

/** Who looks at it needs no note; of programs that ended only who looks elsewhere than the page hears. */
function isSeen(terminal: string, { kind }: Note, { isVisible, hasFocus, focused }: Looking): boolean {
  if (!isVisible) return false
  return kind === 'ended' ? true : hasFocus && terminal === focused
}

function noteOf(terminal: TerminalView, before: string): Note | null {
  const shared = { terminal: terminal.id, title: nameOf(terminal) }
  const { agent, state, because } = terminal
  if (needsYou(terminal)) return { ...shared, kind: 'needsYou', text: sentence(`${agent?.label} ${wantOf(terminal)}`, agent?.words) }
  if (state === 'live' && agent?.state === 'done') return { ...shared, kind: 'done', text: sentence(`${agent.label} is done`, agent.words) }
  const hasEnded = state === 'asleep' && !before.startsWith('asleep') && because !== null && because.kind !== 'slept'
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

/** How many wait for somebody; those that are muted call nobody. */
export const badgeOf = (terminals: readonly TerminalView[]): number =>
  terminals.filter((terminal) => needsYou(terminal) && !terminal.muted).length

export const titleOf = (count: number, name: string | null): string =>
  `${count === 0 ? '' : `(${count}) `}${name === null ? '' : `${name} · `}Holdfast`

/** The page's icon with a number on it, as an address that needs nobody to be asked. */
export function iconOf(count: number): string {
  const sign = count > 9 ? '9+' : String(count)
  const dot =
    count === 0
      ? ''
      : `<circle cx="23" cy="9" r="9" fill="#d9480f"/><text x="23" y="13.5" font-family="sans-serif" font-size="${sign.length > 1 ? 11 : 13}" font-weight="700" text-anchor="middle" fill="#fff">${sign}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4453c9"/><path d="M11 8v16M21 8v16M11 16h10" stroke="#fff" stroke-width="3.5" stroke-linecap="round" fill="none"/>${dot}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
