import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { killDaemon } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { newLink, openLoggedIn, shows } from '../support/pages.ts'

/** The page as an app: what the browser keeps of it, and that it opens while the daemon is away. */
let home: Home
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser({ isWhole: true }) // it shows notifications
  await run(home, ['new', '--name', 'shell', '--env', 'PS1=ready> ', '--', 'bash', '--norc', '--noprofile'])
  page = await openLoggedIn(home, browser)
  await shows(page, /ready>/)
  await page.evaluate(() => navigator.serviceWorker.ready)
})
afterAll(async () => {
  await browser.close()
  await home.dispose()
})

type Kept = { readonly url: string; readonly cookie: boolean }

const keptAddresses = (): Promise<Kept[]> =>
  page.evaluate(async () => {
    const caches = await globalThis.caches.keys()
    const all = await Promise.all(
      caches.map(async (name) => {
        const cache = await globalThis.caches.open(name)
        return Promise.all(
          (await cache.keys()).map(async (request) => ({
            url: request.url,
            cookie: (await cache.match(request))?.headers.has('set-cookie') ?? false,
          })),
        )
      }),
    )
    return all.flat()
  })

test('can be installed: a name, icons of the right size and type, and shortcuts', async () => {
  const manifest = await page.evaluate(async () => (await fetch('/manifest.webmanifest')).json())
  expect(manifest).toMatchObject({ name: 'Holdfast', display: 'standalone', start_url: '/' })
  const icons = [...manifest.icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180' }]
  for (const { src, sizes } of icons) {
    const drawn = await page.evaluate(async (src: string) => {
      const reply = await fetch(src)
      const bitmap = await createImageBitmap(await reply.blob())
      return { type: reply.headers.get('content-type'), sizes: `${bitmap.width}x${bitmap.height}` }
    }, src)
    expect(drawn).toEqual({ type: 'image/png', sizes })
  }
})

test('keeps its own files in the browser, and nothing that belongs to somebody', async () => {
  const kept = await keptAddresses()
  const paths = kept.map(({ url }) => new URL(url).pathname)
  expect(paths).toContain('/')
  expect(paths.some((path) => path.endsWith('.js'))).toBe(true)
  expect(paths.filter((path) => !/^\/($|assets\/|icons\/|manifest\.webmanifest$)/.test(path))).toEqual([])
  expect(kept.filter(({ cookie }) => cookie)).toEqual([])
})

test('opens while the daemon is away, says so, and is live again when it is back', async () => {
  killDaemon(home)
  await page.reload()
  await page.getByText('Daemon away').waitFor()
  await run(home, ['daemon', 'start'])
  await page.getByText('Daemon away').waitFor({ state: 'detached' })
  await shows(page, /ready>/)
  await page.keyboard.type('echo "sum=$((40+2))"\n')
  await shows(page, /^sum=42$/m)
})

test('leads from a notification that the worker showed to its terminal', async () => {
  const { stdout } = await run(home, ['new', '--name', 'asks', '--', 'cat'])
  const asks = stdout.trim()
  await page.locator('.row', { hasText: 'shell' }).click()
  await until(() => new URL(page.url()).hash !== `#${asks}`, { what: 'the other terminal' })
  await page.context().grantPermissions(['notifications'])
  await page.evaluate(async (terminal: string) => {
    const worker = await navigator.serviceWorker.ready
    await worker.showNotification('asks', { data: { terminal } })
  }, asks)
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(async () => {
    const scope = globalThis as unknown as { readonly registration: ServiceWorkerRegistration }
    const [notification] = await scope.registration.getNotifications()
    dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, waitUntil: (work: Promise<unknown>) => work.catch(() => undefined) }),
    )
  })
  await until(() => new URL(page.url()).hash === `#${asks}`, { what: 'the click to focus it' })
  await run(home, ['close', asks])
})

test('looks for a newer worker without reloading itself', async () => {
  const loads: string[] = []
  page.on('load', () => loads.push(page.url()))
  const workers = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    return [registration.installing, registration.waiting].filter((worker) => worker !== null).length
  })
  expect(workers).toBe(0)
  await page.reload()
  await shows(page, /ready>/)
  expect(loads).toHaveLength(1)
})

test('leads whoever is logged out to the login, and forgets its files', async () => {
  expect((await run(home, ['auth', 'revoke', '--all'])).code).toBe(0)
  await page.getByRole('link', { name: 'Log in' }).waitFor()
  await until(async () => (await keptAddresses()).length === 0, { what: 'the browser to forget the page' })
  await page.goto(new URL('/', page.url()).href)
  await page.waitForURL((url) => url.pathname === '/login')
  await page.goto(await newLink(home))
  await shows(page, /ready>/)
  await until(async () => (await keptAddresses()).length > 0, { what: 'the browser to keep the page again' })
})

test('does not open from what is kept where a logged-out browser asks a daemon that answers', async () => {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.evaluate(() => indexedDB.deleteDatabase('holdfast-device'))
  await page.goto(new URL('/', page.url()).href)
  await page.waitForURL((url) => url.pathname === '/login')
})
