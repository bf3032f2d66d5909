/** Colours only where a person looks at them; see no-color.org. */
export type Paint = (text: string) => string
export type Palette = { readonly bold: Paint; readonly dim: Paint; readonly good: Paint; readonly warn: Paint; readonly bad: Paint }

type Output = { readonly isTTY?: boolean | undefined }

export function paletteFor(output: Output, env: Readonly<Record<string, string | undefined>>): Palette {
  const colourful = output.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const sgr =
    (on: number, off: number): Paint =>
    (text) =>
      colourful && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text
  return { bold: sgr(1, 22), dim: sgr(2, 22), good: sgr(32, 39), warn: sgr(33, 39), bad: sgr(31, 39) }
}
