/** Tells of what happens while nobody looks: in the title, on the icon, and by notifications of the system. Only the edge: what is told is decided in notifications.ts. */

import { LastOnly } from './lastOnly.ts'
import { badgeOf, type FocusMessage, iconOf, type Known, knownOf, mayNotify, type Note, notesOf, titleOf } from './notifications.ts'
import type { Page } from './page.ts'
import type { Parts } from './parts.ts'
import { notificationPermission } from './useNotificationPermission.ts'
import { nameOf } from './words.ts'

/** Of one terminal: a program that says ten times a second that it needs somebody is heard once. */
const NOTE_EVERY_MS = 5_000

export function startNotifier({ page, tiles }: Parts): void {
  const lead = takeLead()
  const noters = new Map<string, LastOnly<Note>>()
  const noterOf = (terminal: string): LastOnly<Note> => {
    const noter = noters.get(terminal) ?? new LastOnly<Note>(NOTE_EVERY_MS, (note) => show(note, goTo))
    noters.set(terminal, noter)
    return noter
  }
  let known: Known | null = null
  let badge: number | null = null
  const goTo = ({ terminal }: FocusMessage): void => {
    window.focus()
    page.focus(terminal)
    tiles.focus()
  }
  navigator.serviceWorker?.addEventListener('message', ({ data }) => goTo(data))
  page.subscribe(() => {
    const { terminals, settings } = page.state
    if (terminals === null) return
    const notes = known === null ? [] : notesOf(known, terminals, lookingAt(page))
    known = knownOf(terminals, known ?? undefined)
    const count = badgeOf(terminals)
    document.title = titleOf(count, page.focused === null ? null : nameOf(page.focused))
    if (count !== badge) showBadge(count)
    badge = count
    if (notes.length === 0 || !lead.isOurs() || !mayNotify(settings, new Date()) || notificationPermission() !== 'granted') return
    for (const note of notes) noterOf(note.terminal).take(note)
  })
}

const lookingAt = (page: Page) => ({
  isVisible: !document.hidden,
  hasFocus: document.hasFocus(),
  // Whoever has a dialog open does not see the terminal below it.
  focused: page.state.overlay === null ? page.state.focused : null,
})

function show({ terminal, title, text }: Note, goTo: (message: FocusMessage) => void): void {
  const data: FocusMessage = { terminal }
  const details = { body: text, tag: `holdfast ${terminal}`, icon: iconOf(0), data }
  try {
    const shown = new Notification(title, details)
    shown.addEventListener('click', () => {
      shown.close()
      goTo(data)
    })
  } catch {
    // On phones only the worker may notify, and hears of the click.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, details))
  }
}

function showBadge(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link !== null) link.href = iconOf(count)
  // Only an installed page has one; it may be refused.
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined)
}

/**
 * Of several tabs one notifies: the one that holds the lock, until it is closed. Without locks each does, and the system shows
 * notes with the same tag once.
 */
function takeLead(): { readonly isOurs: () => boolean } {
  if (!('locks' in navigator)) return { isOurs: () => true }
  let isOurs = false
  void navigator.locks.request('holdfast notifies', () => {
    isOurs = true
    return new Promise<never>(() => undefined) // held as long as the page lives
  })
  return { isOurs: () => isOurs }
}
