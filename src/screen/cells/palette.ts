import { BACKGROUND, CURSOR, FOREGROUND, type ProgramState, type Rgb } from '../engine/programState.ts'
import type { Color } from './spans.ts'

/** The colours a screen has until a program sets others; what colour queries are answered with. */
export type Theme = { readonly foreground: Rgb; readonly background: Rgb; readonly cursor: Rgb; readonly ansi: readonly Rgb[] }

const rgb = (hex: number): Rgb => [(hex >> 16) & 0xff, (hex >> 8) & 0xff, hex & 0xff]

export const DARK_THEME: Theme = {
  foreground: rgb(0xd4d4d8),
  background: rgb(0x16161a),
  cursor: rgb(0xd4d4d8),
  ansi: [
    0x2a2a30, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xc8ccd4, 0x5c6370, 0xff7b86, 0xb1e18b, 0xf5d78e, 0x7cc3ff,
    0xdc8ff0, 0x6fd3de, 0xffffff,
  ].map(rgb),
}

const CUBE_STEPS = [0, 95, 135, 175, 215, 255]

/** The 256 colours: the theme's sixteen, a 6×6×6 cube, 24 greys. */
function paletteColor(index: number, theme: Pick<Theme, 'foreground' | 'ansi'>): Rgb {
  if (index < 16) return theme.ansi[index] ?? theme.foreground
  if (index < 232) {
    const cube = index - 16
    const step = (place: number) => CUBE_STEPS[Math.floor(cube / place) % 6] ?? 0
    return [step(36), step(6), step(1)]
  }
  const grey = 8 + (index - 232) * 10
  return [grey, grey, grey]
}

/** What the color at an index is now: set by the program, or the theme's. */
export function currentColor(index: number, state: ProgramState, theme: Theme): Rgb {
  const set = state.colors.get(index)
  if (set !== undefined) return set
  if (index === FOREGROUND) return theme.foreground
  if (index === BACKGROUND) return theme.background
  return index === CURSOR ? theme.cursor : paletteColor(index, theme)
}

export function rgbOf(color: Color, theme: Pick<Theme, 'foreground' | 'ansi'>): Rgb {
  if (typeof color === 'number') return paletteColor(color, theme)
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
}

export const hexOf = (rgb: Rgb): string => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`

export const isDark = ([red, green, blue]: Rgb): boolean => red * 0.299 + green * 0.587 + blue * 0.114 < 128
