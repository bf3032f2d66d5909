import { beforeEach, describe, expect, it } from 'vitest'
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen, type Screen } from '../../screen/screen.ts'
import { snapshotAnsi } from '../../screen/snapshot/snapshot.ts'
import { decodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { ExactSnapshots } from './exactSnapshots.ts'

const OFFSET = 1_000 // the run began before the screen

let screen: Screen
let differs: string[]
let oldest: number | null
let taken: (readonly string[])[]
let troubles: string[]
let snapshots: ExactSnapshots

beforeEach(async () => {
  const real = createScreen({ cols: 80, rows: 24 })
  differs = []
  oldest = 0
  taken = []
  troubles = []
  screen = Object.create(real, {
    checkedSnapshot: { value: (options = {}) => ({ ...real.checkedSnapshot(options), differs }) },
  }) as Screen
  snapshots = new ExactSnapshots({
    screen,
    offset: () => OFFSET,
    oldest: async () => oldest,
    taken: (what) => void taken.push(what),
    trouble: (why) => void troubles.push(why),
  })
  await real.feed(utf8Encode('good\r\n'))
})

describe('a snapshot that would not come back exactly', () => {
  const goOn = async () => {
    await screen.feed(utf8Encode('more'))
    differs = ['the pen']
  }

  it('is not kept: the earlier good one stays', async () => {
    expect(await snapshots.toKeep()).toMatchObject({ seq: OFFSET + 6 })
    await goOn()
    expect(await snapshots.toKeep()).toBeNull()
    expect(troubles).toEqual([])
    differs = []
    expect(await snapshots.toKeep()).toMatchObject({ seq: OFFSET + 10 })
  })

  it('is not shown: the earlier good one is, with its own seq and the history asked for', async () => {
    await screen.feed(utf8Encode(Array.from({ length: 50 }, (_, index) => `line ${index}\r\n`).join('')))
    const kept = await snapshots.toKeep()
    await goOn()
    const shown = await snapshots.toShow(3, { logFollows: true })
    expect(shown.seq).toBe(kept?.seq)
    expect(shown.snapshot.history.map(({ rows }) => rows)).toEqual([3])
    expect(snapshotAnsi(shown.snapshot)).not.toContain('more')
    expect(snapshotAnsi(shown.snapshot)).toContain('line 49')
  })

  it('is replaced by what the store had, too', async () => {
    const kept = await snapshots.toKeep()
    const later = new ExactSnapshots({
      screen,
      offset: () => OFFSET,
      oldest: async () => oldest,
      taken: () => undefined,
      trouble: () => undefined,
    })
    later.restoredFrom(kept!)
    await goOn()
    expect((await later.toShow(0, { logFollows: true })).seq).toBe(kept?.seq)
    expect(await later.toKeep()).toBeNull()
  })

  it.each([
    ['there is no earlier one', 0, true],
    ['the log no longer reaches back', OFFSET + 7, true],
    ['nobody can say how far the log reaches', null, true],
    ['no log follows', 0, false],
  ])('is given all the same when %s, and that is said once', async (why, reach, logFollows) => {
    if (why !== 'there is no earlier one') await snapshots.toKeep()
    await goOn()
    oldest = reach
    for (const _ of [1, 2]) {
      const { snapshot, seq } = await snapshots.toShow(0, { logFollows })
      expect(seq).toBe(OFFSET + 10)
      expect(snapshotAnsi(snapshot)).toContain('more')
    }
    expect(troubles).toEqual(['a snapshot that is not exact is shown, for want of a better one: it differs in the pen'])
    if (!logFollows) return
    const kept = await snapshots.toKeep()
    expect(decodeSnapshot(kept?.bytes ?? new Uint8Array())?.seq).toBe(10)
    expect(troubles).toHaveLength(2)
  })

  it('is counted once, however many ask', async () => {
    await goOn()
    for (let caller = 0; caller < 60; caller++) await snapshots.toShow(0, { logFollows: true })
    expect(taken).toEqual([['the pen']])
    expect(screen.snapshotCounts.taken).toBe(1)
  })
})
