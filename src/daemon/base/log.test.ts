import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from './log.ts'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'daemon.log')
}

test('each line of the log is an object with a time, readable by the user alone', () => {
  const file = newFile()
  openLog(file, 'info').info({ terminal: 't1' }, 'hello')
  const line = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  expect(line).toMatchObject({ terminal: 't1', msg: 'hello' })
  expect(Date.parse(String(line['time']))).toBeGreaterThan(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a log that has grown large starts anew and leaves one old file', () => {
  const file = newFile()
  const log = openLog(file, 'info')
  for (let index = 0; index < 130; index++) log.info({ index, ballast: 'x'.repeat(100_000) })
  expect(statSync(file).size).toBeLessThan(6 << 20)
  expect(statSync(`${file}.1`).size).toBeLessThan(6 << 20)
  const indexes = [`${file}.1`, file].flatMap((name) =>
    readFileSync(name, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { index: number }).index),
  )
  expect(indexes.at(-1)).toBe(129)
  expect(indexes).toEqual(indexes.map((_, at) => (indexes[0] ?? 0) + at))
})

test('a log that cannot be written costs its lines and nothing else', () => {
  expect(() => openLog('/dev/null/no/such/file', 'info').info('hello')).not.toThrow()
})
