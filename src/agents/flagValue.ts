/** The value of a flag of a command line, as the next word or after `=`; the last one counts; null where there is none. */
export function flagValue(argv: readonly string[], flag: string): string | null {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const found = words.flatMap((word, index) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)]
    return word === flag ? [words[index + 1] ?? ''] : []
  })
  return found.at(-1) || null
}
