/** Colors only where a person sees them; see no-color.org. */
type Paint = (text: string) => string
export type Palette = Readonly<Record<'plain' | 'bold' | 'dim' | 'good' | 'warn' | 'bad', Paint>>
/** A meaning, which the palette turns into a color. */
export type Tone = keyof Palette

/** Where text goes: a terminal of some width, or a file or pipe. */
export type Output = {
  readonly stdout: { readonly isTTY?: boolean | undefined; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
}

export function paletteFor({ stdout, env }: Output): Palette {
  const isColorful = stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const sgr =
    (on: number, off: number): Paint =>
    (text) =>
      isColorful && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text
  return { plain: (text) => text, bold: sgr(1, 22), dim: sgr(2, 22), good: sgr(32, 39), warn: sgr(33, 39), bad: sgr(31, 39) }
}
