import type { CDPSession, Page } from 'playwright-core'

/** Real fingers on a page, as the browser itself hears them: each list is where they are at one moment. */
export type Finger = { readonly x: number; readonly y: number }

export async function touch(page: Page, path: readonly (readonly Finger[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const [first = [], ...rest] = path
  await send(session, 'touchStart', first)
  for (const fingers of rest) await send(session, 'touchMove', fingers)
  await send(session, 'touchEnd', [])
  await session.detach()
}

const send = (session: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: readonly Finger[]) =>
  session.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map((finger, id) => ({ ...finger, id })) })

const STEPS = 8

/** One finger in a straight line. */
export const swipe = (page: Page, from: Finger, to: Finger): Promise<void> => touch(page, between([from], [to]))

export function between(from: readonly Finger[], to: readonly Finger[]): Finger[][] {
  return Array.from({ length: STEPS + 1 }, (_, step) =>
    from.map(({ x, y }, index) => {
      const end = to[index] ?? { x, y }
      return { x: x + ((end.x - x) * step) / STEPS, y: y + ((end.y - y) * step) / STEPS }
    }),
  )
}
