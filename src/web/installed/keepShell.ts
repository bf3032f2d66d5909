/** Lets the browser store the page's files while it is logged in, and deletes them after a logout. */
import type { Page } from '../state/page.ts'

const WORKER = '/serviceWorker.js'

export function keepShell(page: Page): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (workers === undefined) return // not over a safe connection
  let said: 'keep' | 'forget' | null = null
  page.subscribe(() => {
    const { link } = page.state
    if (link === 'live' && said !== 'keep') {
      said = 'keep'
      // Without it the page works as it does with it, as long as the daemon answers.
      void workers.register(WORKER, { updateViaCache: 'none' }).catch(() => undefined)
    }
    if (link === 'loggedOut' && said !== 'forget') {
      said = 'forget'
      void forget(workers).catch(() => undefined)
    }
  })
}

async function forget(workers: ServiceWorkerContainer): Promise<void> {
  for (const registration of await workers.getRegistrations()) await registration.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
}
