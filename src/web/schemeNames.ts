/** The colour schemes that terminals can have, by the names that the settings and the daemon know. */
import { DARK, LIGHT, type Palette } from './tiles/schemes.ts'

export const SCHEME_NAMES: readonly string[] = ['holdfast']

export const coloursOf = (_name: string): { readonly light: Palette; readonly dark: Palette } => ({ light: LIGHT, dark: DARK })

export const schemeLabel = (name: string): string =>
  name
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ')
