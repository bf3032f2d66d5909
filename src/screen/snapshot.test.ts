import fc from 'fast-check'
import { expect, it } from 'vitest'
import { screenWith } from '../../test/support/screen/feed.ts'
import { utf8Encode } from '../base/utf8.ts'
import { decodeSnapshot, encodeSnapshot, snapshotAnsi } from './snapshot.ts'

const OUTPUT = `${Array.from({ length: 40 }, (_, index) => `line ${index} 日本 …`).join('\r\n')}\x1b[31m\x1b]2;a title\x07`

it('comes back from its bytes as it was', async () => {
  const snapshot = (await screenWith(OUTPUT)).snapshot()
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot)
})

it('is ignored when it is cut short anywhere, or damaged anywhere', async () => {
  const bytes = encodeSnapshot((await screenWith(OUTPUT)).snapshot())
  for (let length = 0; length < bytes.length; length++) expect(decodeSnapshot(bytes.subarray(0, length))).toBeNull()
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ flip
      expect(decodeSnapshot(damaged)).toBeNull()
    }),
  )
  expect(decodeSnapshot(new Uint8Array(0))).toBeNull()
  expect(decodeSnapshot(utf8Encode('something else entirely, but long enough to look at'))).toBeNull()
})

it('is ignored when its version is not known', async () => {
  const snapshot = { ...(await screenWith(OUTPUT)).snapshot(), version: 2 as unknown as 1 }
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toBeNull()
})

it('leaves history out where it is not wanted', async () => {
  const screen = await screenWith(OUTPUT)
  const [all, visible] = [snapshotAnsi(screen.snapshot()), snapshotAnsi(screen.snapshot(), { history: false })]
  expect(all).toContain('line 3 ')
  expect(visible).not.toContain('line 3 ')
  const copy = await screenWith(visible)
  expect(copy.text()).toBe(screen.text())
  expect(copy.cursor).toEqual(screen.cursor)
})

it('bounds its history', async () => {
  const screen = await screenWith(OUTPUT)
  const snapshot = screen.snapshot({ history: 3 })
  expect(snapshot.history.match(/\n/g)).toHaveLength(3)
  expect(screen.snapshot({ history: 0 }).history).toBe('')
})

it('is taken at the last safe cut, without the bytes of what is unfinished', async () => {
  for (const torn of ['\x1b', '\x1b[', '\x1b[31', '\x1b]2;tit', '\x1bP+q', '\u00c3'.slice(0, 0)]) {
    const screen = await screenWith(`abc${torn}`)
    expect(screen.snapshot().seq).toBe(3)
    expect(screen.seq).toBe(3 + torn.length)
    expect(screen.atSafeCut).toBe(torn === '')
  }
  const screen = await screenWith(Uint8Array.of(97, 0xe2, 0x80))
  expect([screen.seq, screen.snapshot().seq, screen.atSafeCut]).toEqual([1, 1, false])
})

it('does not repeat a control character that took effect inside an unfinished sequence', async () => {
  const screen = await screenWith('abc\x1b[3\n')
  const snapshot = screen.snapshot()
  expect(snapshot).toMatchObject({ seq: 7, pending: '\x1b[3' })
  const copy = await screenWith('')
  await copy.restore(snapshot)
  expect(copy.snapshot()).toEqual(snapshot)
  await copy.feed(utf8Encode('1mx'))
  await screen.feed(utf8Encode('1mx'))
  expect(copy.json()).toEqual(screen.json())
  expect(copy.seq).toBe(screen.seq)
})

it('is made once per moment', async () => {
  const screen = await screenWith(OUTPUT)
  const first = screen.snapshot()
  expect(screen.snapshot()).toBe(first)
  await screen.feed(utf8Encode('x'))
  expect(screen.snapshot()).not.toBe(first)
})
