/** The colour schemes that terminals can have, by name; what they look like only the page knows. */
export const SCHEME_NAMES = [
  'holdfast',
  'holdfast-dark',
  'holdfast-light',
  'high-contrast',
  'solarized-dark',
  'solarized-light',
  'gruvbox-dark',
  'gruvbox-light',
  'nord',
  'dracula',
  'one-dark',
  'one-light',
  'tokyo-night',
  'mocha',
  'latte',
] as const
export type SchemeName = (typeof SCHEME_NAMES)[number]

export const isSchemeName = (name: string): name is SchemeName => SCHEME_NAMES.some((known) => known === name)
