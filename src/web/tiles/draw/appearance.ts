/** How a terminal is drawn: from the settings, its own scheme, the look of the page and the size that this device adds. Pure. */
import type { PageSettings } from '../../../wire/pageSettings.ts'
import { type Palette, shadesOf } from './schemes.ts'

const USUAL_FONTS = '"JetBrains Mono", "SF Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'
/** Most programs choose their colours for a dark background, where they are left as they are. */
const LIGHT_CONTRAST = 4.5
const SMALLEST_PX = 6
const LARGEST_PX = 40

export type Appearance = {
  readonly palette: Palette
  readonly isDark: boolean
  readonly minimumContrast: number
  readonly fontFamily: string
  readonly fontSize: number
}

export type Seen = {
  readonly settings: Pick<PageSettings, 'terminalTheme' | 'fontFamily' | 'fontSize'>
  /** The terminal's own scheme. */
  readonly theme: string | null
  readonly isPageDark: boolean
  /** Pixels that this device adds to the size in the settings. */
  readonly fontStep: number
  /** Whether what is typed arrives. */
  readonly isAway: boolean
}

export function appearanceOf({ settings, theme, isPageDark, fontStep, isAway }: Seen): Appearance {
  const { palette, isDark } = shadesOf(theme ?? settings.terminalTheme, { isDark: isPageDark })
  return {
    palette: isAway ? { ...palette, cursor: palette.brightBlack } : palette,
    isDark,
    minimumContrast: isDark ? 1 : LIGHT_CONTRAST,
    fontFamily: settings.fontFamily === '' ? USUAL_FONTS : `${settings.fontFamily}, monospace`,
    fontSize: fontSizeOf(settings.fontSize, fontStep),
  }
}

export const fontSizeOf = (size: number, step: number): number => Math.min(LARGEST_PX, Math.max(SMALLEST_PX, size + step))

export const isPageDark = (theme: PageSettings['theme'], isSystemDark: boolean): boolean =>
  theme === 'system' ? isSystemDark : theme === 'dark'
