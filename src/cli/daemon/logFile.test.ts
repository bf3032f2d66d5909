import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followFile, lastLines, logLineText } from './logFile.ts'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'l-'))
  file = join(folder, 'daemon.log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the end of a log', () => {
  it('is its last whole lines, however large it is', async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `${at} ${'é'.repeat(at % 50)}`)
    await writeFile(file, `${lines.join('\n')}\nhalf a li`)
    expect(lastLines(file, 3)?.lines).toEqual(lines.slice(-3))
    expect(lastLines(file, 4_999)?.lines).toEqual(lines.slice(1))
    expect(lastLines(file, 9_999)?.lines).toEqual(lines)
  })

  it('is nothing for an empty file, and unknown for none', async () => {
    expect(lastLines(file, 3)).toBeNull()
    await writeFile(file, '')
    expect(lastLines(file, 3)).toEqual({ lines: [], end: 0 })
  })

  it('is followed from there, through a rotation', async () => {
    vi.useFakeTimers()
    try {
      await writeFile(file, 'one\ntw')
      const seen: string[] = []
      void followFile(file, { from: lastLines(file, 9)?.end ?? 0, onLine: (line) => seen.push(line) })
      await appendFile(file, 'o\nthree\n')
      vi.advanceTimersByTime(200)
      expect(seen).toEqual(['two', 'three'])
      await appendFile(file, 'four\n')
      await rename(file, `${file}.1`)
      vi.advanceTimersByTime(200)
      await writeFile(file, 'five\n')
      vi.advanceTimersByTime(200)
      expect(seen).toEqual(['two', 'three', 'four', 'five'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a line of the log', () => {
  it('is written for people', () => {
    const line = JSON.stringify({ level: 40, time: '2026-01-02T03:04:05.678Z', pid: 1, terminal: 't1', tries: 3, msg: 'it is slow' })
    expect(logLineText(line)).toBe('2026-01-02 03:04:05.678 WARN  it is slow terminal=t1 tries=3')
  })

  it('is shown as it is when it is something else, without what could command the terminal', () => {
    expect(logLineText('plain \x1b[31mtext')).toBe('plain [31mtext')
    expect(logLineText('42')).toBe('42')
  })
})
