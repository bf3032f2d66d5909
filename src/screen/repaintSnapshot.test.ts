import fc from 'fast-check'
import { expect, test } from 'vitest'
import { screenWith } from '../../test/support/screen/feed.ts'
import { repaintSnapshot } from './repaintSnapshot.ts'
import { createScreen, engineOf, type Screen } from './screen.ts'
import type { Snapshot } from './snapshot/snapshot.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot/snapshotBytes.ts'

const ESC = '\x1b'

async function repainted(snapshot: Snapshot): Promise<Screen> {
  const painted = await repaintSnapshot(encodeSnapshot(snapshot))
  const decoded = painted === null ? null : decodeSnapshot(painted.bytes)
  if (decoded === null) throw new Error('it was not repainted')
  const screen = createScreen({ cols: decoded.cols, rows: decoded.rows })
  await screen.restore(decoded)
  expect(screen.seq).toBe(painted?.seq)
  return screen
}

test('a repainted screen shows the same text and colours, history included', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} 日本 ${ESC}[3${index % 8}mred${ESC}[m ${'long '.repeat(30)}`)
  const original = await screenWith(`${lines.join('\r\n')}\r\n${ESC}[1;4mbold${ESC}[m`)
  const copy = await repainted(original.snapshot())
  expect(copy.text({ history: 'all' })).toBe(original.text({ history: 'all' }))
  expect(copy.ansi({ history: 'all' })).toBe(original.ansi({ history: 'all' }))
})

test('what is on the alternate screen is shown, and the screen is an ordinary one', async () => {
  const original = await screenWith(`before${ESC}[?1049h${ESC}[?1000h${ESC}[?25l${ESC}[2;3Hin the editor`)
  const copy = await repainted(original.snapshot())
  expect(copy.text()).toContain('in the editor')
  expect(copy.json().alternate).toBe(false)
  expect(copy.cursor.visible).toBe(true)
})

test('a control character in a cell does not come through', async () => {
  const snapshot = (await screenWith('plain')).snapshot()
  const patch = { row: 0, cells: 80, wrapped: false, runs: [[0, 0, 0, null, [(1 << 22) | 0x1b, (1 << 22) | 0x63]]] } as const
  const forged = { ...snapshot, patches: { normal: [patch], alternate: [] } } as Snapshot
  expect(decodeSnapshot(encodeSnapshot(forged))).toBeNull()
  expect(await repaintSnapshot(encodeSnapshot(forged))).toBeNull()
})

test('a size that no terminal can have is refused', async () => {
  const snapshot = (await screenWith('plain')).snapshot()
  for (const size of [{ cols: 1e9 }, { rows: 1e9 }, { cols: 1001 }, { rows: 0 }, { cols: 1 }, { cols: 80.5 }])
    expect(decodeSnapshot(encodeSnapshot({ ...snapshot, ...size })), JSON.stringify(size)).toBeNull()
})

test('lists and numbers out of bounds are refused', async () => {
  const snapshot = (await screenWith('plain')).snapshot()
  const many = <Value>(value: Value, count: number): Value[] => Array.from({ length: count }, () => value)
  const link = { number: 1, id: null, uri: 'https://example.org', normal: [0], alternate: [] }
  const buffer = snapshot.engine.normalBuffer
  const forgeries: Partial<Snapshot>[] = [
    { links: { next: 2, links: many(link, 5_000) } },
    { links: { next: 2, links: [{ ...link, uri: `https://x${ESC}]52;c;eA==` }] } },
    { engine: { ...snapshot.engine, normalBuffer: { ...buffer, lines: 1e8 } } },
    { engine: { ...snapshot.engine, titleStack: many('x', 1_000) } },
    { program: { ...snapshot.program, keyboard: { main: many(0, 1_000), alternate: [0] } } },
    { patches: { normal: [{ row: 0, cells: 1e9, wrapped: false, runs: [] }], alternate: [] } },
    { history: many({ rows: 60_000, continued: false, ansi: '', patches: [] }, 2) },
    { seq: -1 },
  ]
  for (const forged of forgeries)
    expect(decodeSnapshot(encodeSnapshot({ ...snapshot, ...forged })), JSON.stringify(forged).slice(0, 80)).toBeNull()
})

/** Output of a program that means harm, cut at random. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(`${ESC}[?1049h`, `${ESC}]8;;https://x\x07link${ESC}]8;;\x07`, `${ESC}]2;title\x07`, `${ESC}[c`, `${ESC}P$qm${ESC}\\`),
      fc.constantFrom(
        `${ESC}[8;9;9t`,
        `${ESC}]52;c;eA==\x07`,
        `${ESC}(0qqq${ESC}(B`,
        `${ESC}[100b`,
        '\u200d\u0301',
        '\x9b31m',
        `${ESC}[3;1H`,
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

test('no text at all, in the picture or in its fields, leaves a control character in a cell of a repainted screen', async () => {
  const { screenAnsi, base } = { screenAnsi: hostile, base: (await screenWith('x', { cols: 20, rows: 5 })).snapshot() }
  await fc.assert(
    fc.asyncProperty(screenAnsi, hostile, hostile, async (picture, past, title) => {
      const snapshot: Snapshot = { ...base, screen: picture, title, history: [{ rows: 3, continued: false, ansi: past, patches: [] }] }
      const painted = await repaintSnapshot(encodeSnapshot(snapshot))
      if (painted === null) return
      const decoded = decodeSnapshot(painted.bytes)
      expect(decoded).not.toBeNull()
      if (decoded === null) return
      expect(decoded).toMatchObject({ cols: 20, rows: 5, title: '', pending: '', links: { links: [] } })
      const screen = createScreen({ cols: 20, rows: 5 })
      await screen.restore(decoded)
      expect(screen.text({ history: 'all' })).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      expect(engineOf(screen).internals._oscLinkService._dataByLinkId.size).toBe(0)
      screen.dispose()
    }),
    { numRuns: 150 },
  )
})
