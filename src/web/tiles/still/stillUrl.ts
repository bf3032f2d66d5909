/** Where the picture of a terminal's last screen is: the address says how the drawing that it stands for looks. Pure. */
import type { Appearance } from '../draw/appearance.ts'
import type { Cell } from '../draw/cell.ts'
import type { Palette } from '../draw/schemes.ts'

export type StillOf = {
  readonly terminal: string
  /** Left out: as it is now. */
  readonly checkpoint?: string | undefined
  /** The run whose last screen it is. */
  readonly run: string
}

const ANSI = [
  ...(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const),
  ...(['brightBlack', 'brightRed', 'brightGreen', 'brightYellow', 'brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite'] as const),
] as const satisfies readonly (keyof Palette)[]

export function stillUrl({ terminal, checkpoint, run }: StillOf, look: Appearance, place: { cell: Cell; baseline: number }): string {
  const { palette, minimumContrast, fontFamily, fontSize } = look
  const { cell, baseline } = place
  const colours = (['foreground', 'background', ...ANSI] as const).map((name) => palette[name].replace('#', ''))
  const query = new URLSearchParams({
    terminal,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    run,
    cell: `${rounded(cell.width)}x${rounded(cell.height)}`,
    baseline: rounded(baseline),
    size: String(fontSize),
    contrast: String(minimumContrast),
    font: fontFamily,
    colours: colours.join('-'),
  })
  return `/api/still?${query}`
}

const rounded = (value: number): string => String(Math.round(value * 10_000) / 10_000)
