/** The colour schemes that terminals can have, by the names that the settings and the daemon know. */
export const SCHEME_NAMES: readonly string[] = ['holdfast']

export const schemeLabel = (name: string): string =>
  name
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ')
