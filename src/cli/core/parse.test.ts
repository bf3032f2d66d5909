import { describe, expect, it } from 'vitest'
import {
  parseCount,
  parseEnv,
  parseExtent,
  parseHistory,
  parseKeys,
  parseLines,
  parsePath,
  parsePoint,
  parsePosition,
  parseSeconds,
  parseShares,
  parseSize,
} from './parse.ts'

describe('values on the command line', () => {
  it.each([
    ['120x40', { cols: 120, rows: 40 }],
    ['2x1', { cols: 2, rows: 1 }],
    ['1000X1000', { cols: 1000, rows: 1000 }],
    ['80×24', { cols: 80, rows: 24 }],
  ])('takes %s for a size', (text, size) => expect(parseSize(text)).toEqual({ ok: true, value: size }))

  it.each(['', '80', '1x1', '2x0', '1001x10', '80x', 'x24', '-2x3', '8e1x24', '80x24x2'])('refuses the size %j', (text) =>
    expect(parseSize(text)).toMatchObject({ ok: false, refusal: { code: 'size-invalid' } }),
  )

  it('sets variables, hands over the caller’s, and lets later ones win', () => {
    expect(parseEnv(['A=1', 'B=x=y', 'C=', 'HOME', 'A=2'], { HOME: '/h' })).toEqual({
      ok: true,
      value: { A: '2', B: 'x=y', C: '', HOME: '/h' },
    })
  })

  it.each(['=1', '1A=2', 'A B=1', 'UNSET'])('refuses the variable %j', (entry) =>
    expect(parseEnv([entry], {})).toMatchObject({ ok: false, refusal: { code: 'usage' } }),
  )

  it('takes a number of lines, or all of them', () => {
    expect(parseHistory('all')).toEqual({ ok: true, value: 'all' })
    expect(parseHistory('0')).toEqual({ ok: true, value: 0 })
    for (const text of ['-1', '1.5', 'some', '', '99999999999999999999']) expect(parseHistory(text).ok).toBe(false)
  })

  it.each([
    ['5-9', { from: 4, to: 8 }],
    ['5-', { from: 4, to: null }],
    ['-9', { from: 0, to: 8 }],
    ['7', { from: 6, to: 6 }],
    ['1-1', { from: 0, to: 0 }],
  ])('takes %s for a range of lines', (text, range) => expect(parseLines(text)).toEqual({ ok: true, value: range }))

  it.each(['', '-', '0', '0-5', '9-5', '1-2-3', 'a-b', '1..5', '1.5-2', '99999999999999999999-', '-99999999999999999999', '-1-5'])(
    'refuses the range of lines %j',
    (text) => expect(parseLines(text)).toMatchObject({ ok: false, refusal: { code: 'usage' } }),
  )

  it('takes seconds with a fraction', () => {
    expect(parseSeconds('1.5')).toEqual({ ok: true, value: 1_500 })
    for (const text of ['-1', '1s', '', 'Infinity', '1e3']) expect(parseSeconds(text).ok).toBe(false)
  })

  it('takes counts from one', () => {
    expect(parseCount('3', 'lines')).toEqual({ ok: true, value: 3 })
    expect(parseCount('0', 'lines')).toMatchObject({ ok: false, refusal: { message: '"0" is not a number of lines' } })
  })

  it('splits keys at commas', () => expect(parseKeys(' C-c, Up,,Enter ')).toEqual(['C-c', 'Up', 'Enter']))

  it('counts positions and parts from 1, as people do', () => {
    expect([parsePosition('1'), parsePosition('100')]).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 99 },
    ])
    expect([parsePath('2'), parsePath('2.1')]).toEqual([
      { ok: true, value: [1] },
      { ok: true, value: [1, 0] },
    ])
    for (const text of ['0', '', '-1', '1.5', 'end']) expect(parsePosition(text)).toMatchObject({ refusal: { code: 'usage' } })
    for (const text of ['0', '', '1.', '1..2', 'a.b']) expect(parsePath(text)).toMatchObject({ refusal: { code: 'usage' } })
  })

  it('takes shares above nothing, and at least two of them', () => {
    expect(parseShares(['70', '30', '0.5'])).toEqual({ ok: true, value: [70, 30, 0.5] })
    for (const texts of [[], ['1'], ['1', '0'], ['1', '-1'], ['1', 'x'], ['1', '']])
      expect(parseShares(texts)).toMatchObject({ refusal: { code: 'usage' } })
    expect(parseShares(['1', 'wide'])).toMatchObject({ refusal: { message: expect.stringContaining('"wide"') } })
  })

  it('takes points and extents of the canvas', () => {
    expect(parsePoint('-40,120')).toEqual({ ok: true, value: { x: -40, y: 120 } })
    expect(parseExtent('720x450')).toEqual({ ok: true, value: { width: 720, height: 450 } })
    for (const text of ['', '1', '1,', '1;2', 'a,b']) expect(parsePoint(text)).toMatchObject({ refusal: { code: 'usage' } })
    for (const text of ['', '0x9', '9x0', '-1x2', '720']) expect(parseExtent(text)).toMatchObject({ refusal: { code: 'usage' } })
  })
})
