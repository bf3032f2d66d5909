/** The colour schemes that terminals can have, by the names that the settings and the daemon know. */
import { type Palette, SCHEMES, shadesOf } from './tiles/schemes.ts'

export const SCHEME_NAMES: readonly string[] = SCHEMES.map(({ name }) => name)

export const schemeLabel = (name: string): string => SCHEMES.find((scheme) => scheme.name === name)?.label ?? name

export const coloursOf = (name: string): { readonly light: Palette; readonly dark: Palette } => ({
  light: shadesOf(name, { isDark: false }).palette,
  dark: shadesOf(name, { isDark: true }).palette,
})
