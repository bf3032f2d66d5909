import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodeRecord, segmentName } from '../wire/log.ts'
import { logBefore } from './history.ts'

const SIZE = { cols: 80, rows: 24 }
let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lb-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const pathOf = (seq: number): string => join(directory, segmentName(seq))

function write(seq: number, text: string, rest: Uint8Array = new Uint8Array(0)): void {
  const start = encodeRecord({ kind: 'start', seq, run: 'r0123456789', size: SIZE, at: 1 }, crc32)
  writeFileSync(pathOf(seq), Buffer.concat([start, encodeRecord({ kind: 'output', seq, bytes: Buffer.from(text) }, crc32), rest]))
}

test('a run of which nothing was logged begins at its beginning', () => {
  expect(logBefore(join(directory, 'nowhere'), 100)).toEqual({ seq: 0, segments: [] })
})

test('a log goes on behind its last whole record; half of one is cut off', () => {
  write(0, 'first')
  write(5, 'second', Uint8Array.of(0xa7, 1, 2))
  const length = statSync(pathOf(5)).size
  expect(logBefore(directory, 100)).toMatchObject({ seq: 11, segments: [{ seq: 0 }, { seq: 5 }] })
  expect(readFileSync(pathOf(5))).toHaveLength(length - 3)
})

test('a log that cannot be read is passed over, however much it held', () => {
  write(0, 'first')
  mkdirSync(pathOf(5))
  expect(logBefore(directory, 100)).toMatchObject({ seq: 105 })
})
