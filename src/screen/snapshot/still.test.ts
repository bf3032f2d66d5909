import { expect, test } from 'vitest'
import { createScreen } from '../screen.ts'
import { type StillLook, stillOf } from './still.ts'
import { readable } from './stillColors.ts'

const LOOK: StillLook = {
  theme: { foreground: [1, 1, 1], background: [254, 254, 254], ansi: Array.from({ length: 16 }, (_, index) => [index, 0, 0] as const) },
  contrast: 1,
  font: '"Mono", monospace',
  fontSize: 10,
  cell: { width: 6, height: 12 },
  baseline: 9,
}

async function drawn(output: string, look: Partial<StillLook> = {}): Promise<string> {
  const screen = createScreen({ cols: 20, rows: 4, scrollback: 100 })
  await screen.feed(new TextEncoder().encode(output))
  const svg = stillOf(screen.json({ history: 0 }), { ...LOOK, ...look })
  screen.dispose()
  return svg
}

const texts = (svg: string): string[] => [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, how, text]) => `${text} ${how}`)

test('every run of letters stands where its cells are, and is as wide as they are', async () => {
  const svg = await drawn('ab\r\n  cd')
  expect(svg).toContain('width="120" height="48" viewBox="0 0 120 48"')
  expect(texts(svg)).toEqual(['ab x="0" y="9" textLength="12" fill="#010101"', '  cd x="0" y="21" textLength="24" fill="#010101"'])
})

test('what is not a plain letter stands alone: nothing after it is moved by its width', async () => {
  const [wide, after] = texts(await drawn('日x'))
  expect(wide).toMatch(/^日 x="0"/)
  expect(after).toMatch(/^x x="12"/)
  expect(texts(await drawn('👩‍👩‍👧x')).at(-1)).toMatch(/^x x="12"/)
  expect(texts(await drawn('e\u0301x')).map((text) => text.slice(0, 12))).toEqual([
    expect.stringMatching(/^e\u0301 x="0"/),
    expect.stringMatching(/^x x="6"/),
  ])
})

test('colours and styles are those of the drawing: bold is bright, inverse is swapped, dim is half', async () => {
  const [bold, inverse, dim] = texts(await drawn('\x1b[1;31mB\x1b[0;7mI\x1b[0;2;4:3mD'))
  expect(bold).toContain('fill="#090000"')
  expect(bold).toContain('font-weight="bold"')
  expect(inverse).toContain('fill="#fefefe"')
  expect(dim).toContain('fill-opacity=".5"')
  expect(dim).toContain('text-decoration:underline wavy')
  expect(await drawn('\x1b[7mI')).toContain('<rect x="0" y="0" width="6" height="12" fill="#010101"/>')
})

test('what is hidden is not in it, and nothing in it can become markup', async () => {
  expect(await drawn('\x1b[8msecret')).not.toContain('secret')
  const svg = await drawn('</text><script>&"')
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&#60;/text&#62;')
  expect(await drawn('x', { font: '"><script>' })).not.toContain('<script')
})

test('a program on the alternate screen is shown as it was', async () => {
  expect(texts(await drawn('shell\x1b[?1049h\x1b[Heditor'))[0]).toMatch(/^editor /)
})

test('where it is asked for, every colour stands out from what is behind it', () => {
  const contrast = (value: number) => 1.05 / (((value / 255 + 0.055) / 1.055) ** 2.4 + 0.05)
  const [red] = readable([200, 200, 200], [255, 255, 255], 4.5)
  expect(contrast(red)).toBeGreaterThanOrEqual(4.5)
  expect(readable([0, 0, 0], [255, 255, 255], 4.5)).toEqual([0, 0, 0])
  expect(readable([120, 120, 120], [128, 128, 128], 4.5)).not.toEqual([120, 120, 120])
})
