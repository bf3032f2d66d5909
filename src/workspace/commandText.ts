/** Quoted where a shell would need it, so that it can be copied. Only to be read: nothing is ever started from it. */
export const commandText = (command: string, args: readonly string[]): string => [command, ...args].map(quoted).join(' ')

export const argumentsText = (args: readonly string[]): string => args.map(quoted).join(' ')

const quoted = (word: string): string => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
