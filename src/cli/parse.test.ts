import { describe, expect, it } from 'vitest'
import { parseCount, parseEnv, parseHistory, parseKeys, parseLines, parseSeconds, parseSize } from './parse.ts'

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
})
