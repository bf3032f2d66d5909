import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { screenWith } from '../../../test/support/screen/feed.ts'
import { soup } from '../../../test/support/screen/soup.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen, type Screen, type ScreenSize } from '../screen.ts'

const RUNS = 150
const SMALL = { cols: 20, rows: 5 }
const numbered = (count: number, from = 0): string => Array.from({ length: count }, (_, index) => `line ${from + index}\r\n`).join('')
const feed = (screen: Screen, output: string) => screen.feed(utf8Encode(output))
const read = (screen: Screen, from: number, to: number) => screen.numbered({ from, to, format: 'text' })

describe('the numbers of lines', () => {
  it('count from the first line of the run, and go on when lines have left the memory', async () => {
    const screen = createScreen({ ...SMALL, scrollback: 10 })
    await feed(screen, numbered(100))
    expect(screen.lines).toMatchObject({ first: 0, from: 86, top: 96, end: 100 })
    expect(read(screen, 90, 93)).toEqual({ from: 90, lines: ['line 90', 'line 91', 'line 92'] })
    expect(read(screen, 0, 88)).toEqual({ from: 86, lines: ['line 86', 'line 87'] })
    expect(read(screen, 200, 300).lines).toEqual([])
  })

  it('count a line that wraps once, whatever the width', async () => {
    const long = `${'x'.repeat(50)} end`
    const screen = await screenWith(`a\r\n${long}\r\nb\r\n${numbered(10)}`, SMALL)
    for (const cols of [20, 13, 60, 7, 20]) {
      await screen.resize({ cols, rows: 5 })
      expect(read(screen, 0, 4)).toEqual({ from: 0, lines: ['a', long, 'b', 'line 0'] })
    }
  })

  it('leave out what the program erased above its screen', async () => {
    const screen = await screenWith(`${numbered(20)}\x1b[2J\x1b[3J\x1b[H${numbered(3, 100)}`, SMALL)
    expect(screen.lines).toMatchObject({ first: 16, from: 16, top: 16, end: 19 })
    expect(read(screen, 0, 99)).toEqual({ from: 16, lines: ['line 100', 'line 101', 'line 102'] })
    await feed(screen, `\x1bc${numbered(8, 200)}`)
    expect(screen.lines).toMatchObject({ first: 16, from: 16, top: 20, end: 24 })
    expect(read(screen, 0, 17).lines).toEqual(['line 200'])
  })

  it('count a line whose ink has scrolled away, and even left the memory', async () => {
    for (const scrollback of [10, 5_000]) {
      const screen = createScreen({ ...SMALL, scrollback })
      await feed(screen, 'hello \x1b[9999b')
      expect(screen.lines).toMatchObject({ first: 0, top: 0, end: 1 })
    }
  })

  it('do not count the alternate screen', async () => {
    const screen = await screenWith(`${numbered(20)}\x1b[?1049h${numbered(50)}`, SMALL)
    expect(screen.lines).toMatchObject({ first: 0, top: 16, end: 20 })
    await feed(screen, '\x1b[?1049l')
    expect(screen.lines).toMatchObject({ first: 0, top: 16, end: 20 })
  })

  it('do not depend on a saved cursor, which stays where it is on the screen', async () => {
    const output = `${numbered(40)}\x1b[2;3H\x1b7\x1b[5;1H${numbered(30)}\x1b8HERE`
    const [little, much] = [createScreen({ ...SMALL, scrollback: 10 }), createScreen({ ...SMALL, scrollback: 500 })]
    for (const screen of [little, much]) await feed(screen, output)
    expect(little.text()).toBe(much.text())
    expect(little.text().split('\n')[1]).toBe('liHERE7')
    expect(pick(little)).toEqual(pick(much))
  })

  it('keep the colours of a line in ANSI, and its blanks where it wraps', async () => {
    const screen = await screenWith(`\x1b[31m${'r'.repeat(22)}\x1b[m${' '.repeat(20)}z\r\n`, SMALL)
    expect(screen.numbered({ from: 0, to: 1, format: 'ansi' }).lines).toEqual([`\x1b[0;31m${'r'.repeat(22)}\x1b[0m${' '.repeat(20)}z`])
  })
})

it('leaves the oldest lines out of a collection that would be too long', async () => {
  const screen = createScreen({ ...SMALL, scrollback: 10 })
  const collection = screen.collect({ from: 5, to: 90, format: 'text', most: 50 })
  await feed(screen, numbered(100))
  expect(collection.finish()).toEqual({ from: 83, lines: Array.from({ length: 7 }, (_, index) => `line ${83 + index}`), isCut: true })
})

type Step =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'resize'; readonly size: ScreenSize }
  | { readonly kind: 'restore' }

const lots = fc.integer({ min: 1, max: 40 }).map((count) => numbered(count))
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: soup.map((text) => ({ kind: 'output', text }) as const) },
    { weight: 4, arbitrary: lots.map((text) => ({ kind: 'output', text }) as const) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('\x1b[3J', '\x1b[2J\x1b[3J\x1b[H', '\x1bc', `${'w'.repeat(300)}`)
        .map((text) => ({ kind: 'output', text }) as const),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ cols: fc.integer({ min: 5, max: 60 }), rows: fc.integer({ min: 3, max: 12 }) })
        .map((size) => ({ kind: 'resize', size }) as const),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'restore' } as const) },
  ),
  { maxLength: 20 },
)

/**
 * What the engine draws differently after a resize, depending on how much of a line it holds: characters shifted sideways (SL, SR) move
 * with the rows they stand in, and a mark that combines with the last cell of a wrapped row is lost when that row is wrapped anew.
 */
const DEPENDS_ON_ROWS = /\u0301|\x1b\[[\d;]* [@A]/
const comparableSteps = steps.map((list) =>
  list.some(({ kind }) => kind === 'resize') ? list.filter((step) => step.kind !== 'output' || !DEPENDS_ON_ROWS.test(step.text)) : list,
)

async function take(screen: Screen, step: Step): Promise<void> {
  if (step.kind === 'output') await feed(screen, step.text)
  if (step.kind === 'resize') await screen.resize(step.size)
}

const pick = ({ lines }: Screen) => ({ first: lines.first, top: lines.top, end: lines.end })

it('numbers lines the same with little memory as with much', async () => {
  await fc.assert(
    fc.asyncProperty(comparableSteps, async (list) => {
      const [little, much] = [createScreen({ ...SMALL, scrollback: 50 }), createScreen({ ...SMALL, scrollback: 5_000 })]
      for (const step of list) {
        await take(little, step)
        await take(much, step)
        expect(pick(little)).toEqual(pick(much))
      }
      const { from, end } = little.lines
      expect(read(little, from, end)).toEqual(read(much, from, end))
    }),
    { numRuns: RUNS },
  )
})

it('numbers lines the same after a restore as if there had been none', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const [through, never] = [createScreen({ ...SMALL, scrollback: 50 }), createScreen({ ...SMALL, scrollback: 50 })]
      for (const step of list) {
        await take(never, step)
        await take(through, step)
        if (step.kind === 'restore' && through.atSafeCut && !through.json().alternate) await through.restore(through.snapshot())
        expect(pick(through)).toEqual(pick(never))
      }
    }),
    { numRuns: RUNS },
  )
})

/** More rows than any list of steps can make: a repeated character at a width of 5 takes thousands. */
const ALL_ROWS = 200_000

/**
 * Cells that were never written count as blanks in a row that wraps. A resize adds such cells: before a wide character that no longer
 * fits, and to the rows of the cursor's line, which the engine does not wrap anew. Rows that left the memory before have none.
 */
const withoutBlanks = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll(' ', ''))

it('reads any number of lines through a screen that holds few', async () => {
  const format = fc.constantFrom('text', 'ansi', 'json', 'html')
  await fc.assert(
    fc.asyncProperty(comparableSteps, format, async (list, format) => {
      const [little, much] = [createScreen({ ...SMALL, scrollback: 30 }), createScreen({ ...SMALL, scrollback: ALL_ROWS })]
      const collection = little.collect({ from: 0, to: 1e9, format, most: 1e9 })
      let comparable = (lines: readonly string[]): readonly string[] => lines
      for (const step of list) {
        if (step.kind === 'resize' && format !== 'text') continue // coloured blanks at the end of a line are as wide as the screen was
        if (step.kind === 'resize') comparable = withoutBlanks
        await take(little, step)
        await take(much, step)
      }
      const { first, end } = much.lines
      const [collected, numbered] = [collection.finish(), much.numbered({ from: first, to: end, format })]
      expect(collected).toMatchObject({ from: numbered.from, isCut: false })
      expect(comparable(collected.lines)).toEqual(comparable(numbered.lines))
    }),
    { numRuns: RUNS },
  )
})
