import { expect, it } from 'vitest'
import { AckWindow } from './ackWindow.ts'

const WINDOW = 1 << 20
const PIECE = 64 << 10

/** Feeds pieces as a holder would: never more under way than the window lets it. Answers how much was ahead at most. */
function play(window: AckWindow, { pieces, ms }: { readonly pieces: number; readonly ms: number }, credit: number): number {
  let left = credit
  for (let n = 0; n < pieces; n++) {
    if (left < PIECE) throw new Error('the stream stands still')
    left += window.consumed(PIECE, ms) - PIECE
  }
  return left
}

it('lets a fast screen have the whole window, and a slow one a fraction of a second', () => {
  const window = new AckWindow(WINDOW)
  let credit = play(window, { pieces: 100, ms: 1.3 }, WINDOW)
  expect([window.ahead, credit > WINDOW * 0.8]).toEqual([WINDOW, true])
  credit = play(window, { pieces: 100, ms: 60 }, credit)
  expect(window.ahead).toBeLessThan(256 << 10)
  expect(credit).toBeLessThanOrEqual(window.ahead)
  credit = play(window, { pieces: 100, ms: 1.3 }, credit)
  expect([window.ahead, credit > WINDOW * 0.8]).toEqual([WINDOW, true])
})

it('never stops a stream, however slow it is', () => {
  const window = new AckWindow(WINDOW)
  expect(play(window, { pieces: 200, ms: 60_000 }, WINDOW)).toBeGreaterThanOrEqual(PIECE)
})
