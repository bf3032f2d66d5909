/** Colours of a still picture, chosen as the page's drawing chooses them: bold ones bright, and readable where that is asked for. */

import { rgbOf, type Theme } from '../cells/palette.ts'
import type { Color, TextStyle } from '../cells/spans.ts'
import type { Rgb } from '../engine/programState.ts'

export type StillTheme = Pick<Theme, 'foreground' | 'background' | 'ansi'>

/** `paper` is null where it is the background of the whole picture. */
export type Ink = { readonly ink: Rgb; readonly paper: Rgb | null }

const BRIGHT = 8

export function inkOf(style: TextStyle, theme: StillTheme): Ink {
  const fg = style.fg === undefined ? theme.foreground : rgbOf(brightened(style), theme)
  const bg = style.bg === undefined ? theme.background : rgbOf(style.bg, theme)
  if (style.inverse) return { ink: bg, paper: fg }
  return { ink: fg, paper: style.bg === undefined ? null : bg }
}

const brightened = ({ fg = 0, bold }: TextStyle): Color => (bold && typeof fg === 'number' && fg < BRIGHT ? fg + BRIGHT : fg)

/** The color itself, or the nearest darker or lighter color with enough contrast to the background. */
export function readable(ink: Rgb, paper: Rgb, ratio: number): Rgb {
  if (contrast(ink, paper) >= ratio) return ink
  const away = luminance(ink) < luminance(paper) ? BLACK : WHITE
  const first = toward(ink, away, { paper, ratio })
  if (contrast(first, paper) >= ratio) return first
  const second = toward(ink, away === BLACK ? WHITE : BLACK, { paper, ratio })
  return contrast(second, paper) > contrast(first, paper) ? second : first
}

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
/** Each step goes a tenth of the way that is left. */
const STEP = 0.1

function toward(ink: Rgb, end: Rgb, { paper, ratio }: { readonly paper: Rgb; readonly ratio: number }): Rgb {
  let now = ink
  while (contrast(now, paper) < ratio && now.some((value, at) => value !== end[at])) {
    now = now.map((value, at) => nearer(value, end[at] ?? 0)) as unknown as Rgb
  }
  return now
}

const nearer = (value: number, end: number): number =>
  end > value ? Math.min(end, value + Math.ceil((end - value) * STEP)) : Math.max(end, value - Math.ceil((value - end) * STEP))

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** As WCAG defines it. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
