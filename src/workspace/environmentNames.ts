export type Environment = Readonly<Record<string, string>>

/** What `execve` can carry: a NUL would cut the value short, an `=` would move the border between name and value. */
export function isPassable(name: string, value: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0')
}

/** Whether a name fits one of the patterns, in which `*` stands for any characters. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const open = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'))
  return (name) => exact.has(name) || open.some((parts) => fits(name, parts))
}

/** Each part is taken at its first occurrence after the one before it: linear, however many stars there are. */
function fits(name: string, parts: readonly string[]): boolean {
  const first = parts.at(0) ?? ''
  const last = parts.at(-1) ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  const end = name.length - last.length
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
