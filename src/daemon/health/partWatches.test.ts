import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../store/store.ts'
import type { Measures } from '../../workspace/load.ts'
import type { Indexer } from '../search/indexer.ts'
import { LoadWatch } from './loadWatch.ts'
import { diskWatch, memoryWatch, searchWatch, storeWatch } from './partWatches.ts'
import { answered, gone } from './watched.ts'

const LOOK = { withinMs: 20 }
const NEVER = new Promise<never>(() => undefined)

function store(over: Partial<Store>, writingTrouble: string | null = null) {
  const ends: string[] = []
  const keepAgain = vi.fn()
  const fake = { hasEnded: () => false, ping: () => Promise.resolve(), reopen: () => Promise.resolve({ sound: true }), ...over } as Store
  return {
    watched: storeWatch(
      { store: fake, log: pino({ level: 'silent' }) },
      { writingTrouble: () => writingTrouble, keepAgain, end: (why) => void ends.push(why) },
    ),
    ...{ ends, keepAgain },
  }
}

describe('the store', () => {
  it('is well when it answers, silent when it does not, and gone when its thread is', async () => {
    expect(await store({}).watched.check(LOOK)).toEqual(answered())
    await expect(store({ ping: () => NEVER }).watched.check(LOOK)).rejects.toThrow('it did not answer within 0.02 s')
    expect(await store({ hasEnded: () => true }).watched.check(LOOK)).toEqual(gone('its thread ended; nothing is saved'))
  })

  it('whose thread ends while it is asked is gone, and not only silent', async () => {
    let hasEnded = false
    const ping = (): Promise<void> => {
      hasEnded = true
      return Promise.reject(new Error('the store is closed'))
    }
    expect(await store({ hasEnded: () => hasEnded, ping }).watched.check(LOOK)).toEqual(gone('its thread ended; nothing is saved'))
  })

  it('that could not keep something says so, and is asked for it again with every look', async () => {
    const well = store({})
    await well.watched.check(LOOK)
    const troubled = store({}, 'cannot save checkpoints: the store is closed')
    expect(await troubled.watched.check(LOOK)).toEqual(answered('cannot save checkpoints: the store is closed'))
    expect([well.keepAgain.mock.calls.length, troubled.keepAgain.mock.calls.length]).toEqual([0, 1])
  })

  it('goes on with another thread when its own has ended', async () => {
    const reopen = vi.fn(() => Promise.resolve({ sound: true }))
    const { watched, ends } = store({ hasEnded: () => true, reopen })
    await watched.recover?.(1)
    expect([reopen.mock.calls.length, ends]).toEqual([1, []])
  })

  it('ends the daemon when the database is not what it was: a new start knows what can be saved', async () => {
    const { watched, ends } = store({ hasEnded: () => true, reopen: () => Promise.resolve({ sound: false }) })
    await watched.recover?.(1)
    expect(ends).toHaveLength(1)
  })

  it('that only does not answer is given time, and in the end a new start', async () => {
    const { watched, ends } = store({})
    for (const attempt of [1, 2, 3, 4]) await expect(watched.recover?.(attempt)).rejects.toThrow('may be waiting for the disk')
    expect(ends).toEqual([])
    await expect(watched.recover?.(5)).rejects.toThrow()
    expect(ends).toEqual(['the store does not answer'])
  })
})

it('the search index tells its trouble, and that its thread is gone', async () => {
  const index = (over: object) =>
    searchWatch({ indexer: { hasEnded: () => false, trouble: null, ping: () => Promise.resolve(), ...over } as Indexer })
  expect(await index({}).check(LOOK)).toEqual(answered())
  expect(await index({ trouble: 'it cannot be written' }).check(LOOK)).toEqual(answered('it cannot be written'))
  expect(await index({ hasEnded: () => true }).check(LOOK)).toMatchObject({ kind: 'gone' })
})

describe('memory and disk', () => {
  const EASY: Measures = { heapShare: 0.1, ownShare: 0.1, available: null, disk: { bytes: 2 ** 40, total: 2 ** 40 }, stallMs: 0 }
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'd-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const loadOf = (measures: Partial<Measures>) => {
    const load = new LoadWatch({ measure: () => Promise.resolve({ ...EASY, ...measures }), changed: () => undefined })
    load.stop()
    return load
  }

  it('are well while there is room, and nothing is written to find out', async () => {
    const missing = join(home, 'missing')
    expect(await diskWatch(loadOf({}), missing).check(LOOK)).toEqual(answered())
    expect(await memoryWatch(loadOf({})).check(LOOK)).toEqual(answered())
    expect(existsSync(missing)).toBe(false)
  })

  it('say that there is little left, and whether a little can still be written', async () => {
    const low = { disk: { bytes: 2 ** 20, total: 2 ** 40 } }
    expect(await diskWatch(loadOf(low), home).check(LOOK)).toEqual(answered('the disk is nearly full: less than 16 MB left'))
    expect(readdirSync(home)).toEqual([])
    expect(await diskWatch(loadOf(low), join(home, 'missing')).check(LOOK)).toMatchObject({
      kind: 'silent',
      why: expect.stringContaining('cannot write to disk'),
    })
    expect(await memoryWatch(loadOf({ ownShare: 0.5 })).check(LOOK)).toEqual(
      answered('the daemon uses more than 40 % of the machine’s memory'),
    )
  })
})
