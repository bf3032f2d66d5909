import { describe, expect, it } from 'vitest'
import { frameOf } from './watchScreen.ts'

/** As it is seen, line by line. */
const shown = (lines: readonly string[], rows: number): string[] =>
  frameOf(lines, rows)
    .replace('\x1b[H', '')
    .replace('\x1b[J', '')
    .split('\r\n')
    .map((line) => line.replace('\x1b[K', ''))

describe('a picture of a list', () => {
  it('is drawn over the one before, and leaves nothing of it', () => {
    expect(frameOf(['one', 'two'], 24)).toBe('\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J')
  })

  it('never scrolls: what does not fit is counted', () => {
    const lines = Array.from({ length: 10 }, (_, at) => `line ${at}`)
    expect(shown(lines, 10)).toEqual(lines)
    expect(shown(lines, 3)).toEqual(['line 0', 'line 1', '… and 8 more'])
    expect(shown(lines, 0)).toEqual(['… and 10 more'])
  })
})
