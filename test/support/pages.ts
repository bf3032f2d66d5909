import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestBrowser } from './browser.ts'
import { json } from './holdfast.ts'
import type { Home } from './home.ts'
import { until } from './milestone.ts'

/** What the page tells scripts about its drawings; without an id, of the terminal that has the keyboard. */
type Told = { readonly holdfast: { text(id?: string): string; seen(id?: string): readonly string[] } }

export const textOf = (page: Page, id?: string): Promise<string> =>
  page.evaluate((id) => (globalThis as unknown as Told).holdfast.text(id), id)

export const shows = (page: Page, pattern: RegExp, { id, timeoutMs }: { readonly id?: string; readonly timeoutMs?: number } = {}) =>
  until(async () => pattern.test(await textOf(page, id)), {
    what: `the page to show ${pattern}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

export const seenOf = (page: Page, id?: string): Promise<readonly string[]> =>
  page.evaluate((id) => (globalThis as unknown as Told).holdfast.seen(id), id)

/** In what is seen of it at this moment, which costs the page little however much was printed. */
export const sees = (page: Page, pattern: RegExp, { id, timeoutMs }: { readonly id?: string; readonly timeoutMs?: number } = {}) =>
  until(async () => pattern.test((await seenOf(page, id)).join('\n')), {
    what: `the page to show ${pattern}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

export const newLink = async (home: Home): Promise<string> => (await json<{ url: string }>(home, ['--no-open'])).url

/** A page that is logged in. */
export async function openLoggedIn(home: Home, browser: TestBrowser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.openPage({ viewport: { width: 1280, height: 800 }, ...options })
  await page.goto(await newLink(home))
  await page.waitForURL((url) => url.pathname === '/')
  return page
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

/** What the picture of a terminal that sleeps shows, row by row; empty while there is none. */
export const stillOf = (page: Page, id?: string): Promise<string> =>
  page.evaluate((id) => {
    const image = document.querySelector<HTMLImageElement>(`${id === undefined ? '' : `[data-terminal="${id}"] `}.frost img`)
    if (image === null || !image.complete || image.naturalWidth === 0) return ''
    const svg = new DOMParser().parseFromString(decodeURIComponent(image.src.slice(image.src.indexOf(',') + 1)), 'image/svg+xml')
    const rows = new Map<number, string>()
    for (const text of svg.querySelectorAll('text')) {
      const y = Number(text.getAttribute('y'))
      rows.set(y, (rows.get(y) ?? '') + (text.textContent ?? ''))
    }
    return [...rows.values()].join('\n')
  }, id)

export const showsStill = (page: Page, pattern: RegExp, id?: string) =>
  until(async () => pattern.test(await stillOf(page, id)), { what: `the picture to show ${pattern}` })

/** The browser of a test has no graphics card: from the next load on this page says that it had. */
export const pretendCard = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { getParameter } = WebGL2RenderingContext.prototype
    WebGL2RenderingContext.prototype.getParameter = function (this: WebGL2RenderingContext, name: number) {
      const value: unknown = getParameter.call(this, name)
      return typeof value === 'string' && value.includes('SwiftShader') ? 'A card' : value
    }
  })
