/** The terminal's sixteen colours, for a dark and for a light page. Each has at least 4.5:1 against its background. */
export type Palette = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'background',
  'foreground',
  'cursor',
  'cursorAccent',
  'selectionBackground',
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const

const palette = (colours: string): Palette => {
  const list = colours.trim().split(/\s+/)
  return Object.fromEntries(NAMES.map((name, index) => [name, list[index] ?? ''])) as Palette
}

export const DARK = palette(`
  #0e1014 #e0e4ec #97a6ff #0e1014 #3a4270
  #2a303b #ff7b7b #5fcf93 #e6b450 #82a7ff #d197f2 #5ccfd6 #c8ced9
  #7d8797 #ff9d9d #86e3b0 #f5cd7c #a9c2ff #e2b8fa #8be3e8 #ffffff`)

export const LIGHT = palette(`
  #ffffff #1b1f27 #4453c9 #ffffff #cfd6ff
  #1b1f27 #b4232a #17733f #865300 #2c55c4 #8a35ab #0b6d78 #5f6876
  #626c7a #c9343b #1b7f48 #8f5a00 #3a63d6 #9a45bb #10757f #4a5361`)
