import { expect, it } from 'vitest'
import { SCHEME_NAMES } from '../../../wire/pageSettings.ts'
import { type Palette, schemeLabel, shadesOf } from './schemes.ts'

const lightness = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (a: string, b: string): number => {
  const [bright = 0, dim = 0] = [lightness(a), lightness(b)].sort((x, y) => y - x)
  return (bright + 0.05) / (dim + 0.05)
}

/** What a program prints in black on a dark background, or in white on a light one, it means to be faint. */
const FAINT = { dark: ['black'], light: ['white', 'brightWhite'] }
const NOT_ON_IT = ['background', 'foreground', 'cursorAccent', 'selectionBackground']

const all = SCHEME_NAMES.flatMap((name) => [true, false].map((isDark) => ({ name, isDark, shades: shadesOf(name, { isDark }) })))

it.each(all)('every colour of $name can be read against its background (page dark: $isDark)', ({ shades: { palette, isDark } }) => {
  for (const colour of Object.values(palette)) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
  expect(lightness(palette.background) < 0.2).toBe(isDark)
  expect(contrast(palette.foreground, palette.background)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(palette.foreground, palette.selectionBackground)).toBeGreaterThanOrEqual(4.5)
  const faint = [...FAINT[isDark ? 'dark' : 'light'], ...NOT_ON_IT]
  const dim = Object.entries(palette).filter(([name, colour]) => !faint.includes(name) && contrast(colour, palette.background) < 3)
  expect(dim).toEqual([])
})

it('a scheme of one look keeps it whatever the page looks like, and the usual one follows the page', () => {
  for (const name of SCHEME_NAMES) {
    const looks = [true, false].map((isDark) => shadesOf(name, { isDark }).isDark)
    if (['holdfast', 'high-contrast'].includes(name)) expect(looks, name).toEqual([true, false])
    else if (name.endsWith('-light') || name === 'latte') expect(looks, name).toEqual([false, false])
    else expect(looks, name).toEqual([true, true])
  }
  expect(SCHEME_NAMES.length).toBeGreaterThanOrEqual(12)
  expect(new Set(SCHEME_NAMES.map(schemeLabel)).size).toBe(SCHEME_NAMES.length)
})

it('a name that nobody knows is as good as none', () => {
  const usual: Palette = shadesOf(null, { isDark: true }).palette
  expect(shadesOf('no such', { isDark: true }).palette).toBe(usual)
  expect(shadesOf('constructor', { isDark: true }).palette).toBe(usual)
})
