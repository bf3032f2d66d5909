/** The colours of terminals. In each of them every colour can be read against its background; the test says how well. */
import { isSchemeName, type SchemeName } from '../../../wire/pageSettings.ts'

export type Palette = Readonly<Record<(typeof NAMES)[number], string>>

export type Shades = { readonly palette: Palette; readonly isDark: boolean }

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

const dark = (colours: string): Shades => ({ palette: palette(colours), isDark: true })
const light = (colours: string): Shades => ({ palette: palette(colours), isDark: false })

const DARK = dark(`
  #0e1014 #e0e4ec #97a6ff #0e1014 #3a4270
  #2a303b #ff7b7b #5fcf93 #e6b450 #82a7ff #d197f2 #5ccfd6 #c8ced9
  #7d8797 #ff9d9d #86e3b0 #f5cd7c #a9c2ff #e2b8fa #8be3e8 #ffffff`)

const LIGHT = light(`
  #ffffff #1b1f27 #4453c9 #ffffff #cfd6ff
  #1b1f27 #b4232a #17733f #865300 #2c55c4 #8a35ab #0b6d78 #5f6876
  #626c7a #c9343b #1b7f48 #8f5a00 #3a63d6 #9a45bb #10757f #4a5361`)

const STARK_DARK = dark(`
  #000000 #ffffff #ffff00 #000000 #004c99
  #3a3a3a #ff6b6b #3bff6f #ffe74a #7db3ff #ff8cff #4df3ff #f2f2f2
  #b5b5b5 #ff9b9b #8cffac #fff29a #b0d1ff #ffb8ff #9cf8ff #ffffff`)

const STARK_LIGHT = light(`
  #ffffff #000000 #0000c8 #ffffff #b3d4ff
  #000000 #a00000 #005a1e #6b4300 #0032b4 #7a0080 #00545c #3d3d3d
  #4a4a4a #b80000 #006b24 #7a4d00 #003fd9 #8f0096 #00626b #2b2b2b`)

type Row = { readonly label: string; readonly inDark: Shades; readonly inLight: Shades }

const always = (label: string, shades: Shades): Row => ({ label, inDark: shades, inLight: shades })

const ROWS: Readonly<Record<SchemeName, Row>> = {
  holdfast: { label: 'Holdfast', inDark: DARK, inLight: LIGHT },
  'holdfast-dark': always('Holdfast dark', DARK),
  'holdfast-light': always('Holdfast light', LIGHT),
  'high-contrast': { label: 'High contrast', inDark: STARK_DARK, inLight: STARK_LIGHT },
  'solarized-dark': always(
    'Solarized dark',
    dark(`
      #002b36 #93a1a1 #93a1a1 #002b36 #0b3a45
      #073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5
      #5f747b #cb4b16 #9aae22 #c9a02c #6cb4e6 #8b8fe0 #5fc0b8 #fdf6e3`),
  ),
  'solarized-light': always(
    'Solarized light',
    light(`
      #fdf6e3 #4f646c #586e75 #fdf6e3 #e4dcc4
      #073642 #dc322f #6f8000 #946f00 #268bd2 #d33682 #1f857d #93a1a1
      #657b83 #cb4b16 #5f6f00 #7f6000 #1f78b4 #6c71c4 #1a7169 #586e75`),
  ),
  'gruvbox-dark': always(
    'Gruvbox dark',
    dark(`
      #282828 #ebdbb2 #ebdbb2 #282828 #504945
      #3c3836 #d13a34 #98971a #d79921 #458588 #b16286 #689d6a #bdae93
      #928374 #fb4934 #b8bb26 #fabd2f #83a598 #d3869b #8ec07c #fbf1c7`),
  ),
  'gruvbox-light': always(
    'Gruvbox light',
    light(`
      #fbf1c7 #3c3836 #3c3836 #fbf1c7 #e3d3a5
      #282828 #9d0006 #79740e #b57614 #076678 #8f3f71 #427b58 #7c6f64
      #928374 #cc241d #7d7a12 #a8700f #3a7a7d #a2577b #4f8252 #504945`),
  ),
  nord: always(
    'Nord',
    dark(`
      #2e3440 #d8dee9 #d8dee9 #2e3440 #4c566a
      #3b4252 #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #88c0d0 #e5e9f0
      #7b88a1 #d08770 #b5cf9f #f0d9a8 #9bb8d3 #c7a5c1 #8fbcbb #eceff4`),
  ),
  dracula: always(
    'Dracula',
    dark(`
      #282a36 #f8f8f2 #f8f8f2 #282a36 #44475a
      #21222c #ff5555 #50fa7b #f1fa8c #bd93f9 #ff79c6 #8be9fd #f8f8f2
      #6575a6 #ff6e6e #69ff94 #ffffa5 #d6acff #ff92df #a4ffff #ffffff`),
  ),
  'one-dark': always(
    'One dark',
    dark(`
      #282c34 #abb2bf #61afef #282c34 #3e4451
      #3f4451 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #dcdfe4
      #7f848e #ef8a92 #b1d69a #f0d399 #86c4f5 #d79aea #7fcbd5 #ffffff`),
  ),
  'one-light': always(
    'One light',
    light(`
      #fafafa #383a42 #526fff #fafafa #e0e2e8
      #383a42 #ca3b34 #3f8a3e #a36c00 #2f6ae0 #a626a4 #0b7aa5 #696c77
      #696c77 #d84a43 #3a7d39 #8f5f00 #4078f2 #b13aae #0a6d94 #4f525e`),
  ),
  'tokyo-night': always(
    'Tokyo night',
    dark(`
      #1a1b26 #c0caf5 #c0caf5 #1a1b26 #33467c
      #32344a #f7768e #9ece6a #e0af68 #7aa2f7 #bb9af7 #7dcfff #a9b1d6
      #5e668f #ff92a5 #b5de87 #efc588 #99b8fa #cdb2fa #a0dcff #e3e8fb`),
  ),
  mocha: always(
    'Mocha',
    dark(`
      #1e1e2e #cdd6f4 #f5e0dc #1e1e2e #45475a
      #45475a #f38ba8 #a6e3a1 #f9e2af #89b4fa #cba6f7 #94e2d5 #bac2de
      #7f849c #f7a8bf #bcecb8 #fbebc6 #a8c8fb #dac0f9 #b0eae0 #e6e9f5`),
  ),
  latte: always(
    'Latte',
    light(`
      #eff1f5 #4c4f69 #6b7fee #eff1f5 #ccd0da
      #4c4f69 #d20f39 #348022 #a86800 #1e66f5 #8839ef #0f7a80 #6c6f85
      #6c6f85 #e0294f #3b8a28 #b07400 #3b78f6 #9650f0 #17878d #5c5f77`),
  ),
}

const USUAL_SCHEME = 'holdfast'

/** The name to show in menus. */
export const schemeLabel = (name: string): string => (isSchemeName(name) ? ROWS[name].label : name)

/** An unknown name counts as none. */
export function shadesOf(name: string | null, page: { readonly isDark: boolean }): Shades {
  const { inDark, inLight } = ROWS[name !== null && isSchemeName(name) ? name : USUAL_SCHEME]
  return page.isDark ? inDark : inLight
}
