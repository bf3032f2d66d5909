/** How keys, texts and lists are written in TOML. */

/** JSON's strings are TOML's, but for one character. */
export const quoted = (value: string): string => JSON.stringify(value).replaceAll('\x7f', '\\u007F')

/** A key as it stands in the file. */
export const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : quoted(key))

export const listOf = (items: readonly string[]): string => `[${items.join(', ')}]`
export const listText = (items: readonly string[]): string => listOf(items.map(quoted))
