import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, rowCount, wrapLine } from './styledLine.ts'

const rowsOf = (ansi: string, cols: number) => wrapLine({ ansi }, cols).map((row) => row.map(({ text }) => text).join(''))

describe('a styled line', () => {
  it('wraps at the width, and a wide character that does not fit begins the next row', () => {
    expect(rowsOf('abcdefg', 3)).toEqual(['abc', 'def', 'g'])
    expect(rowsOf('ab漢字c', 3)).toEqual(['ab', '漢', '字c'])
    expect(rowsOf('', 3)).toEqual([''])
  })

  it('keeps marks and emoji of several code points in one cell', () => {
    expect(wrapLine({ ansi: 'e\u0301👩‍💻x' }, 80)[0]?.map(({ text, width }) => [text, width])).toEqual([
      ['e\u0301', 1],
      ['👩‍💻', 2],
      ['x', 1],
    ])
  })

  it('carries colours and links across the wrap', () => {
    const [first, second] = wrapLine({ ansi: '\x1b[0;31mab\x1b[1mc\x1b[0m\x1b]8;;http://x/\x1b\\de\x1b]8;;\x1b\\' }, 3)
    expect(first?.map(({ pen }) => pen)).toEqual(['31', '31', '31;1'])
    expect(second?.map(({ pen, link }) => [pen, link])).toEqual([
      ['', ';http://x/'],
      ['', ';http://x/'],
    ])
  })

  it('drops whatever else could control a terminal', () => {
    const nasty = 'a\x1b[2J\x1b]0;title\x07\x1bP1$r0m\x1b\\\x07\r\n\x1bc\x9bb\x1b[6nc'
    expect(plainText({ ansi: nasty })).toBe('abc')
    expect(rowsOf(nasty, 80)).toEqual(['abc'])
  })

  it('has as many rows as it is counted to have, none of them wider than the width', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '漢', 'é', '👍🏽', '\x1b[0;1;32m', '\x1b[0m', 'e\u0301'), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (parts, cols) => {
        const line = { ansi: parts.join('') }
        const rows = wrapLine(line, cols)
        expect(rowCount(line, cols)).toBe(rows.length)
        for (const row of rows) expect(row.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(cols)
        expect(
          rows
            .flat()
            .map((cell) => cell.text)
            .join(''),
        ).toBe(plainText(line))
      }),
    )
  })
})
