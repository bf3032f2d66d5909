import { afterEach, expect, it, vi } from 'vitest'
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen } from '../../screen/screen.ts'
import type { SizedBy } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { drawnAt, OtherSizeView } from './otherSize.ts'

const PAGE: SizedBy = { kind: 'client', client: 1, who: 'page' }

/** What a window of this size shows. */
async function picture(lines: readonly string[], size: Size, { window, sizedBy = PAGE }: { window: Size; sizedBy?: SizedBy }) {
  const screen = createScreen(window)
  await screen.feed(utf8Encode(drawnAt(lines, { size, sizedBy }, window)))
  const rows = screen.json().lines.map(({ text }) => text)
  screen.dispose()
  return rows
}

it('draws a smaller screen at its place, with dots around it and a line that says why', async () => {
  expect(await picture(['$ ls', 'a b'], { cols: 6, rows: 3 }, { window: { cols: 44, rows: 6 } })).toEqual(
    [
      `$ ls  ${'·'.repeat(38)}`,
      `a b   ${'·'.repeat(38)}`,
      `      ${'·'.repeat(38)}`,
      '·'.repeat(44),
      '·'.repeat(44),
      ' Sized by another page: 6×3. Type to fit it',
    ].map((line) => line.slice(0, 44)),
  )
})

it('draws what fits of a larger screen: the end of it, cut at the edge', async () => {
  const window = { cols: 5, rows: 3 }
  expect((await picture(['first', '\x1b[31mcoloured\x1b[0m line', '日本語'], { cols: 40, rows: 10 }, { window })).slice(0, 2)).toEqual([
    'colou',
    '日本',
  ])
})

it('does not promise what the policy forbids', async () => {
  const window = { cols: 40, rows: 2 }
  expect((await picture([], { cols: 90, rows: 30 }, { window, sizedBy: { kind: 'fixed' } }))[1]?.trim()).toBe('Fixed at 90×30')
})

it('keeps colours within the picture', () => {
  expect(drawnAt(['\x1b[31mred'], { size: { cols: 3, rows: 1 }, sizedBy: PAGE }, { cols: 4, rows: 2 })).toMatch(
    /\x1b\[0;31mred\x1b\[0m\x1b\[2m·\x1b\[m/,
  )
})

afterEach(() => void vi.useRealTimers())

it('asks for the screen a few times a second at most while a program prints, and once more when it has stopped', async () => {
  vi.useFakeTimers()
  let reads = 0
  const read = () => Promise.resolve(String(++reads))
  const view = new OtherSizeView({ read, write: () => undefined, window: () => ({ cols: 80, rows: 24 }) })
  view.changed()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(0)
  view.show({ size: { cols: 120, rows: 40 }, sizedBy: PAGE })
  for (let step = 0; step < 100; step++) {
    view.changed()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads).toBeLessThan(12)
  const during = reads
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBeGreaterThan(during)
  view.leave()
  const after = reads
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(after)
})
