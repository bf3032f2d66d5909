/**
 * Keeps the page's own files in the browser, so that it opens and says what is wrong while the daemon is away, and leads from a
 * notification to its terminal. This folder is about the installed page: shell.ts decides what is kept (pure), keepShell.ts registers
 * the worker, wish.ts reads what the installed icon asks for.
 */
import type { FocusMessage } from '../notify/notifications.ts'
import { cacheName, isAway, isOurCache, type Shell, shellAddresses, wayOf } from './shell.ts'

/** Of the worker's world what is used here; the compiler knows only that of pages. */
type WorkerScope = {
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    matchAll(which: { readonly type: 'window' }): Promise<readonly PageClient[]>
    openWindow(address: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(kind: 'install' | 'activate', take: (event: { waitUntil(work: Promise<unknown>): void }) => void): void
  addEventListener(kind: 'notificationclick', take: (event: NotificationClick) => void): void
  addEventListener(kind: 'fetch', take: (event: FetchEvent) => void): void
}
type PageClient = { postMessage(message: FocusMessage): void; focus(): Promise<unknown> }
type NotificationClick = { readonly notification: Notification; waitUntil(work: Promise<unknown>): void }
type FetchEvent = { readonly request: Request; respondWith(answer: Promise<Response>): void }

/** The build writes its files in here. */
const shell = JSON.parse('__SHELL__') as Shell
const scope = self as unknown as WorkerScope
const ANSWERS_WITHIN_MS = 6_000 // on a bad line; the kept page then says that it waits

scope.addEventListener('install', (event) => event.waitUntil(keep()))
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()))
scope.addEventListener('notificationclick', (event) => event.waitUntil(goTo(event.notification)))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const asked = { method: request.method, url: request.url, isNavigation: request.mode === 'navigate' }
  const way = wayOf(asked, { shell, origin: scope.location.origin })
  if (way.kind === 'kept') event.respondWith(kept(way.path).then((answer) => answer ?? fetch(request)))
  if (way.kind === 'fresh') event.respondWith(fresh(request, way.path))
})

/** All or nothing: one that a login page answers for is not the file that was asked for. */
async function keep(): Promise<void> {
  const cache = await caches.open(cacheName(shell))
  await Promise.all(
    shellAddresses(shell).map(async (address) => {
      const answer = await fetch(address)
      if (!answer.ok || answer.redirected) throw new Error(`${address} cannot be kept: ${answer.status}`)
      await cache.put(address, answer)
    }),
  )
  await scope.skipWaiting()
}

/** An open page has its code already, and is never reloaded for it. */
async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => isOurCache(name) && name !== cacheName(shell))
  await Promise.all(old.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** To a page that is open, or else to a new one. */
async function goTo(notification: Notification): Promise<void> {
  const { terminal } = notification.data as FocusMessage
  notification.close()
  const [open] = await scope.clients.matchAll({ type: 'window' })
  if (open === undefined) return void (await scope.clients.openWindow(`/#${terminal}`))
  open.postMessage({ terminal })
  await open.focus()
}

const kept = async (path: string): Promise<Response | undefined> => (await caches.open(cacheName(shell))).match(path)

async function fresh(request: Request, path: string): Promise<Response> {
  const answer = await answered(request)
  if (answer !== null && !isAway(answer.status)) return answer
  return (await kept(path)) ?? answer ?? Response.error()
}

const answered = (request: Request): Promise<Response | null> => {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), ANSWERS_WITHIN_MS))
  return Promise.race([fetch(request).catch(() => null), late])
}
