import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../wire/commands/commands.ts'
import { askedOf, pageOf } from './asking.ts'
import { drawPager, repaintBytes } from './drawPager.ts'
import { LOADED_LINES } from './loaded.ts'
import { openPager, stepPager } from './pager.ts'
import { PagerKeys } from './pagerKeys.ts'
import type { Ask, PagerEvent, PagerState, Stepped } from './pagerState.ts'
import { plainText } from './styledLine.ts'

/** A pager before a daemon that has these lines and answers at once, or when told to. */
class Reader {
  state: PagerState
  left = false
  asks: Ask[] = []
  private readonly keys = new PagerKeys()
  lines: string[]
  first = 0
  earlier: readonly string[]
  isAnswering = true

  constructor(lines: readonly string[], { cols = 40, rows = 6, up = true, first = 0, earlier = [] as readonly string[] } = {}) {
    this.lines = [...lines]
    this.first = first
    this.earlier = earlier
    const opened = openPager({ cols, rows }, { up })
    this.state = opened.state
    this.run(opened)
  }

  tell(event: PagerEvent): void {
    this.run(stepPager(this.state, event))
  }

  press(keys: string): this {
    for (const key of [...this.keys.feed(Buffer.from(keys)), ...this.keys.release()]) this.tell({ kind: 'key', key })
    return this
  }

  answer(): void {
    const ask = this.asks.shift()
    if (ask === undefined) throw new Error('nothing was asked')
    this.tell({ kind: 'page', id: ask.id, ...pageOf(this.history(askedOf(ask, this.state.own))) })
  }

  /** As the daemon answers: a page is of one run, and what is known of the run before is that it is there, until it was read. */
  private history({ before, count, format }: Ask): Outcome<'terminal.history'> {
    const { first, lines, earlier } = this
    const end = lines.length
    const to = Math.min(before ?? end, end)
    const from = Math.max(first, to - count)
    const shown = (texts: readonly string[]) => texts.map((line) => (format === 'text' ? plainText({ ansi: line }) : line))
    if (from < to || earlier.length === 0)
      return { first, oldest: earlier.length > 0 ? -1 : first, end, from, lines: shown(lines.slice(from, to)) }
    const last = earlier.length + Math.min(to, 0)
    const oldest = -earlier.length
    return {
      first,
      oldest,
      end,
      from: Math.max(oldest, Math.min(to, 0) - count),
      lines: shown(earlier.slice(Math.max(0, last - count), last)),
    }
  }

  /** The window as text, without trailing blanks. */
  get picture(): string[] {
    return drawPager(this.state).rows.map((row) => plainText({ ansi: row }).trimEnd())
  }

  private run({ state, effects }: Stepped): void {
    this.state = state
    for (const effect of effects) {
      if (effect.kind === 'leave') this.left = true
      else this.asks.push(effect.ask)
    }
    if (this.isAnswering && this.asks.length > 0) this.answer()
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

describe('the pager', () => {
  it('opens at the end, and says where it is', () => {
    expect(new Reader(numbered(3000), { cols: 80 }).picture).toEqual([
      'line 2996',
      'line 2997',
      'line 2998',
      'line 2999',
      'line 3000',
      ' Lines 2,996–3,000 of 3,000 · live output continues · q back · ↑↓ PgUp PgDn',
    ])
  })

  it('shows fewer lines than the window has from its top', () => {
    expect(new Reader(numbered(2)).picture).toEqual(['line 1', 'line 2', '', '', '', ' Lines 1–2 of 2 · beginning of history'])
    expect(new Reader([]).picture.at(-1)).toMatch(/^ No lines yet/)
  })

  it('moves by rows, pages and half pages, and stops at both ends', () => {
    const reader = new Reader(numbered(30))
    const top = (keys: string) => reader.press(keys).picture[0]
    expect(['k', '\x1b[A', 'j', '\x1b[B', '\x1b[5~', '\x02', 'b', '\x1b[6~', ' ', '\x15', 'g', 'k', 'G', 'j'].map(top)).toEqual([
      'line 25',
      'line 24',
      'line 25',
      'line 26',
      'line 22',
      'line 18',
      'line 14',
      'line 18',
      'line 22',
      'line 20',
      'line 1',
      'line 1',
      'line 26',
      'line 26',
    ])
  })

  it('reaches every line by scrolling, without a gap or a repetition, and keeps only a part in memory', () => {
    const reader = new Reader(numbered(20_000))
    const seen = new Set<number>()
    while (!seen.has(1)) {
      const page = reader.picture.slice(0, 5).map((line) => Number(line.slice(5)))
      expect(page).toEqual(page.map((_, index) => (page[0] ?? 0) + index))
      for (const line of page) seen.add(line)
      reader.press('\x1b[5~')
      expect(reader.state.loaded.lines.length).toBeLessThanOrEqual(LOADED_LINES)
    }
    expect(seen.size).toBe(20_000)
    expect(reader.picture.at(-1)).toMatch(/^ beginning of history/)
    for (let page = 0; page < 5_000; page += 1) reader.press(' ')
    expect(reader.picture[4]).toBe('line 20000')
    expect(reader.state.loaded.lines.length).toBeLessThanOrEqual(LOADED_LINES)
  })

  it('goes on asking only as long as there is something to ask for, however high the window is', () => {
    const reader = new Reader(numbered(20_000), { rows: 1_000 })
    reader.press('g')
    for (let page = 0; page < 30; page += 1) reader.press(' ')
    expect(reader.picture[998]).toBe('line 20000')
    expect(reader.state.asked).toBeLessThan(80)
  })

  it('says when older lines were dropped', () => {
    const reader = new Reader(numbered(30), { first: 10, cols: 60 })
    expect(reader.press('g').picture).toMatchObject({
      0: 'line 11',
      5: expect.stringMatching(/^ Lines 11–15 of 30 · older lines were dropped/),
    })
  })

  it('wraps long lines at the width, moves row by row through them, and keeps its place when the width changes', () => {
    const reader = new Reader(['first', 'abcdefghijklmnopqrstuvwxyz', '漢字漢字漢', 'last'], { cols: 8, rows: 5 })
    expect(reader.press('g').picture.slice(0, 4)).toEqual(['first', 'abcdefgh', 'ijklmnop', 'qrstuvwx'])
    expect(reader.press('jj').picture.slice(0, 4)).toEqual(['ijklmnop', 'qrstuvwx', 'yz', '漢字漢字'])
    reader.tell({ kind: 'resized', size: { cols: 20, rows: 5 } })
    expect(reader.picture.slice(0, 4)).toEqual(['abcdefghijklmnopqrst', 'uvwxyz', '漢字漢字漢', 'last'])
  })

  it('keeps colours and links, and leaves the pen plain', () => {
    const reader = new Reader(['\x1b[0;31mred\x1b[0m plain \x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\'])
    expect(drawPager(reader.state).rows[0]).toBe('\x1b[0;31mred\x1b[0m plain \x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\')
  })

  it('shows what the program prints meanwhile when it is asked for, and the last line as it is by then', () => {
    const reader = new Reader(numbered(20), { cols: 60 })
    reader.lines[19] = 'line 20, longer'
    reader.lines.push('line 21')
    reader.tell({ kind: 'output' })
    expect(reader.picture.slice(4)).toEqual(['line 20', expect.stringContaining('new output below')])
    expect(reader.press('j').picture.slice(3)).toEqual(['line 20, longer', 'line 21', expect.stringContaining('live output continues')])
    reader.lines.push('line 22')
    reader.tell({ kind: 'output' })
    expect(reader.press('G').picture[4]).toBe('line 22')
    reader.tell({ kind: 'ended', how: 'the program ended: exit 3' })
    expect(reader.picture[5]).toContain('the program ended: exit 3')
  })

  it('leaves by q, Escape and Ctrl-C', () => {
    for (const key of ['q', '\x1b', '\x03']) expect(new Reader(numbered(3)).press(key).left).toBe(true)
    expect(new Reader(numbered(3)).press('xyz\x1c').left).toBe(false)
  })

  it('says that the daemon is away, keeps what it has, and reads on when it is back', () => {
    const reader = new Reader(numbered(2000), { up: false, cols: 70 })
    expect(reader.asks).toEqual([])
    expect(reader.press('kG').picture).toEqual(['', '', '', '', '', expect.stringMatching(/^ The daemon is away/)])
    reader.tell({ kind: 'link', up: true })
    expect(reader.picture[4]).toBe('line 2000')
    reader.isAnswering = false
    reader.press('g')
    reader.tell({ kind: 'link', up: false })
    expect(reader.press('k').picture).toMatchObject({ 4: 'line 1999', 5: expect.stringContaining('daemon away') })
    reader.answer() // what was asked of a daemon that is gone changes nothing
    expect(reader.picture[4]).toBe('line 1999')
  })

  it('heeds keys that are typed faster than lines come, in their order', () => {
    const reader = new Reader(numbered(3_000))
    reader.isAnswering = false
    reader.press('gjj/line 2000\rj')
    while (reader.asks.length > 0) reader.answer()
    expect(reader.state.match).toBe(1_999)
    expect(reader.picture[0]).toBe('line 2000')
    reader.press('gq')
    expect(reader.left).toBe(true)
  })

  it('shows why lines cannot be read', () => {
    const reader = new Reader(numbered(2000), { cols: 70 })
    reader.isAnswering = false
    reader.press('g')
    reader.tell({ kind: 'refused', id: reader.asks[0]?.id ?? 0, why: 'cannot read the history: disk full' })
    expect(reader.picture[5]).toContain('cannot read the history: disk full')
  })
})

describe('the run before', () => {
  const old = [...Array.from({ length: 3_000 }, (_, index) => `old ${index + 1}`), '── asleep ──']

  it.each([0, 120])('is reached through the line between, with nothing lost or doubled, where the run begins with line %s', (first) => {
    const lines = numbered(2_000)
    const reader = new Reader(lines, { first, earlier: old, cols: 60 })
    const seen: string[] = []
    for (let page = 0; page < 2_000 && seen[0] !== 'old 1'; page += 1) {
      const rows = reader.picture.slice(0, 5)
      const overlap = seen.length === 0 ? 0 : rows.length - rows.indexOf(seen[0] ?? '')
      seen.unshift(...rows.slice(0, rows.length - overlap))
      reader.press('\x1b[5~')
    }
    expect(seen).toEqual([...old, ...lines.slice(first)])
    expect(reader.picture[5]).toMatch(/beginning of history/)
    for (let page = 0; page < 2_000 && reader.picture[4] !== 'line 2000'; page += 1) reader.press(' ')
    expect(reader.picture[4]).toBe('line 2000')
  })

  it('is where the history begins, has numbers from 0 down, and is searched', () => {
    const reader = new Reader(numbered(2_000), { first: 120, earlier: old, cols: 60 })
    expect(reader.press('g').picture).toMatchObject({
      0: 'old 1',
      5: expect.stringMatching(/^ Lines −3,000–−2,996 of 2,000 · beginning of history/),
    })
    expect(reader.press('/asleep\r').picture.slice(0, 5)).toContain('── asleep ──')
    expect(reader.press('/line 121\r').picture.slice(0, 5)).toContain('line 121')
    expect(reader.press('?old 7\r').press('n').press('n').picture.join('\n')).toMatch(/old 7/)
    expect(reader.press('G').picture[4]).toBe('line 2000')
  })

  it('stays readable when the run loses lines of its own meanwhile', () => {
    const reader = new Reader(numbered(700), { earlier: old, cols: 60 }).press('gG')
    for (let page = 0; page < 200; page += 1) reader.press('\x1b[5~')
    reader.first = 600
    reader.tell({ kind: 'output' })
    expect(reader.press('G').picture[4]).toBe('line 700')
    expect(reader.press('g').picture[0]).toBe('old 1')
  })

  it('can be all there is', () => {
    expect(new Reader([], { earlier: old }).picture[4]).toBe('── asleep ──')
  })
})

describe('searching', () => {
  const withNeedles = (count: number, ...at: number[]) =>
    numbered(count).map((line, index) => (at.includes(index + 1) ? `${line} Needle` : line))

  it('shows what is typed, with the cursor behind it, and can be given up', () => {
    const reader = new Reader(numbered(10)).press('?nee dle\x7f')
    expect(reader.picture[5]).toBe('?nee dl')
    expect(drawPager(reader.state).cursor).toEqual({ row: 5, col: 7 })
    expect(reader.press('\x1b').picture[5]).toMatch(/^ Lines/)
    expect(reader.left).toBe(false)
  })

  it('finds older lines far beyond what is in memory, and goes on with n and back with N', () => {
    const reader = new Reader(withNeedles(30_000, 7, 12_345, 29_999), { cols: 60 })
    const found = (keys: string) => reader.press(keys).state.match
    expect([found('?needle\r'), found('n'), found('n'), found('N'), found('N')]).toEqual([29_998, 12_344, 6, 12_344, 29_998])
    expect(reader.press('NN').picture).toMatchObject({ 5: expect.stringContaining('No match for “needle” below') })
    expect(reader.press('nnnn').picture).toMatchObject({ 5: expect.stringContaining('No match for “needle” above') })
    expect(reader.state.match).toBe(6)
    expect(reader.picture).toContain('line 7 Needle')
  })

  it('goes down from the view, or up where nothing is below', () => {
    const reader = new Reader(withNeedles(5_000, 100, 4_000))
    expect(reader.press('/needle\r').state.match).toBe(3_999)
    expect(reader.press('g/needle\r').state.match).toBe(99)
    expect(reader.press('n').state.match).toBe(3_999)
  })

  it('ignores case unless there are capitals', () => {
    const reader = new Reader(withNeedles(100, 10))
    expect(reader.press('?Needle\r').state.match).toBe(9)
    expect(new Reader(withNeedles(100, 10)).press('?NEEDLE\r').state.match).toBeNull()
  })

  it('marks what was found, across colours and in the row of a long line where it stands', () => {
    const long = `${'x'.repeat(25)}\x1b[0;31mnee\x1b[0mdle`
    const reader = new Reader([...numbered(20), long, ...numbered(20)], { cols: 10, rows: 4 }).press('?needle\r')
    expect(reader.picture.slice(0, 3)).toContain('xxxxxneedl')
    expect(drawPager(reader.state).rows.join('')).toContain('xxxxx\x1b[0;1;30;103mneedl\x1b[0m')
  })

  it('tells how far it is, and stops when asked to', () => {
    const reader = new Reader(numbered(30_000), { cols: 70 })
    reader.isAnswering = false
    reader.press('?nothing\r')
    for (let page = 0; page < 3; page += 1) reader.answer()
    expect(reader.picture[5]).toBe(' Lines 29,996–30,000 of 30,000 · searching “nothing” at line 24,000')
    reader.press('j\x03')
    expect(reader.left).toBe(false)
    expect(reader.state.typedAhead).toEqual([])
    expect(reader.picture).toMatchObject({ 4: 'line 30000', 5: expect.stringContaining('Search stopped at line 24,000') })
    reader.answer()
    expect(reader.state.asking).toBeNull()
  })
})

describe('drawing', () => {
  it('writes only the rows that changed', () => {
    const before = { rows: ['a', 'b'], cursor: null }
    expect(repaintBytes({ rows: ['a', 'c'], cursor: null }, before)).toBe('\x1b[?2026h\x1b[2;1H\x1b[0m\x1b[2Kc\x1b[?25l\x1b[?2026l')
  })

  it('fits a window of any size', () => {
    for (const [cols, rows] of [
      [2, 1],
      [3, 2],
      [12, 3],
    ] as const) {
      const reader = new Reader(numbered(5), { cols, rows })
      expect(reader.picture).toHaveLength(Math.max(2, rows))
      for (const row of reader.picture) expect(row.length).toBeLessThanOrEqual(cols)
    }
  })
})
