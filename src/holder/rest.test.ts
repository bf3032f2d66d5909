import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunId } from '../base/ids.ts'
import { History } from './history.ts'

let directory: string
let history: History
/** What memory held each time garbage was collected, in bytes. */
let collected: number[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rest-'))
  collected = []
  vi.stubGlobal('gc', () => collected.push(history.tail.head - history.tail.oldest))
  const order = { runDirectory: directory, run: 'r0123456789' as RunId, segmentBytes: 4 << 20, size: { cols: 80, rows: 24 } }
  history = new History({ order, changed: () => undefined, exitKept: () => undefined })
})
afterEach(async () => {
  await history.log.close()
  vi.unstubAllGlobals()
  rmSync(directory, { recursive: true, force: true })
})

const MIB = 1 << 20

it('collects the garbage of a flood once, when the disk has it and memory has let go of it', async () => {
  for (let count = 0; count < 6; count++) history.append(Buffer.alloc(MIB, 'x'))
  await history.log.keepNow()
  expect(collected).toEqual([expect.any(Number)])
  expect(collected[0]).toBeLessThan(2 * MIB)
  history.append(Buffer.from('a prompt'))
  await history.log.keepNow()
  expect(collected).toHaveLength(1)
})

it('does not stop for the garbage of a few lines', async () => {
  history.append(Buffer.alloc(MIB / 2, 'x'))
  await history.log.keepNow()
  expect(collected).toEqual([])
})
