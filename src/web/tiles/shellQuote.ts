/** A path as one word for a POSIX shell. */
export const shellQuote = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
