/**
 * Announces events while the page is hidden: in the title, on the icon, and by system notifications. notifications.ts decides which,
 * and is pure; this file does it. Only one tab of a browser notifies.
 */
import { useState } from 'react'
import type { Parts } from '../hooks/parts.ts'
import { LastOnly } from '../state/lastOnly.ts'
import type { Page } from '../state/page.ts'
import { nameOf } from '../state/words.ts'
import { badgeOf, type FocusMessage, iconOf, type Known, knownOf, mayNotify, type Note, notesOf, titleOf } from './notifications.ts'

/** Per terminal: a program that asks for the user ten times a second causes one notification. */
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
  // An open dialog hides the terminal below it.
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

export type PermissionState = NotificationPermission | 'impossible'

/** Without a secure address browsers have none. */
const notificationPermission = (): PermissionState => ('Notification' in globalThis ? Notification.permission : 'impossible')

export function useNotificationPermission(): { readonly state: PermissionState; readonly ask: () => void } {
  const [state, setState] = useState(notificationPermission)
  return { state, ask: () => void Notification.requestPermission().then(setState) }
}
