import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/support/store.ts'
import { runId } from '../../test/support/terminals.ts'
import { History } from './history.ts'

const SIZE = { cols: 80, rows: 24 }

function makeHistory(directory: string, journal: boolean): History {
  const order = { runDirectory: directory, run: runId(1), segmentBytes: 64 << 10, size: SIZE, journal }
  return new History({ order, changed: () => undefined, exitKept: () => undefined })
}

test.each([true, false])('a run writes its log if and only if it is journaled: %s', async (journal) => {
  const directory = makeFolder()
  const history = makeHistory(directory, journal)
  history.append(Buffer.from('some words\r\n'))
  history.resize({ cols: 100, rows: 30 })
  history.end({ code: 0 })
  await history.log.keepNow()
  await history.log.close()
  expect(readdirSync(directory).length > 0).toBe(journal)
})

test('of a private run the newest megabytes are there, and memory stays bounded', () => {
  const history = makeHistory('/nowhere', false)
  const block = Buffer.alloc(1 << 20, 'x')
  for (let count = 0; count < 20; count++) history.append(block)
  expect(history.head - history.oldest).toBeGreaterThanOrEqual(4 << 20)
  expect(history.head - history.oldest).toBeLessThan(6 << 20)
  expect(history.kept.to).toBeLessThanOrEqual(history.tail.oldest) // all of it is read from memory
})
