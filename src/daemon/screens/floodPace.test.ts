import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fixtureProgram } from '../../../test/support/holdfast.ts'
import { agentRecordings, programRecordings } from '../../../test/support/screen/recordings.ts'
import { createScreen } from '../../screen/screen.ts'
import { FloodMeter, FloodPace } from './floodPace.ts'

const FLOODS = fixtureProgram('floods-events.mjs')
const HOSTILE = execFileSync(process.execPath, [FLOODS, '--kinds'], { encoding: 'utf8' }).trim().split('\n')
const PIECE = 64 << 10

/** Reads the bytes at once, as on a machine that is infinitely fast: answers how many of the pieces were a flood. */
async function floodsIn(bytes: Uint8Array, size = { cols: 120, rows: 40 }): Promise<number> {
  const screen = createScreen(size)
  const meter = new FloodMeter(() => 0)
  let floods = 0
  for (let at = 0; at < bytes.length; at += PIECE) {
    await screen.feed(bytes.subarray(at, at + PIECE))
    if (meter.isFlood(screen.asides)) floods += 1
  }
  screen.dispose()
  return floods
}

describe('what is a flood', () => {
  it.each(HOSTILE)('a file full of events: %s', async (kind) => {
    const bytes = execFileSync(process.execPath, [FLOODS, kind, '--print', '40000'], { maxBuffer: 1 << 28 })
    expect(await floodsIn(bytes)).toBeGreaterThan(0)
  })

  it('nothing that the programs and agents of our recordings print', async () => {
    for (const { name, bytes, cols, rows } of [...programRecordings(), ...agentRecordings()])
      expect([name, await floodsIn(bytes, { cols, rows })]).toEqual([name, 0])
  })

  it('no listing in which each of four thousand files is a link', async () => {
    const listing = Array.from({ length: 4_000 }, (_, n) => `\x1b]8;;file://host/tmp/file-${n}\x07file-${n}\x1b]8;;\x07\r\n`).join('')
    expect(await floodsIn(Buffer.from(listing))).toBe(0)
  })

  it('a slow stream of events is none, however long it lasts', () => {
    let now = 0
    const meter = new FloodMeter(() => now)
    for (let n = 1; n <= 20_000; n++) {
      now += 5
      expect(meter.isFlood(n)).toBe(false)
    }
  })
})

describe('the screens that read floods', () => {
  it('read in small pieces, and in whole ones again a second after the last of it', () => {
    let now = 0
    const meter = new FloodMeter(() => now)
    expect(meter.atOnce).toBe(Number.POSITIVE_INFINITY)
    expect(meter.isFlood(20_000)).toBe(true)
    now = 999
    expect(meter.atOnce).toBe(4096)
    now = 1_000
    expect(meter.atOnce).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([1, 2, 4, 8])('take a quarter of their thread, all together: %i of them', (screens) => {
    const pace = new FloodPace()
    const readyAt = Array.from({ length: screens }, () => 0)
    let now = 0
    let busy = 0
    while (now < 60_000) {
      const next = readyAt.indexOf(Math.min(...readyAt))
      now = Math.max(now, readyAt[next] ?? 0) + 10
      busy += 10
      readyAt[next] = now + pace.restAfter(10, now)
    }
    expect(busy / now).toBeCloseTo(0.25, 1)
  })

  it('rest less than a holder takes for stuck, however many they are', () => {
    const pace = new FloodPace()
    for (let n = 0; n < 1_000; n++) expect(pace.restAfter(100, 0)).toBeLessThanOrEqual(300)
  })
})
