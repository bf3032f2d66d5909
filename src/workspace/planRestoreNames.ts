const MOST_TRIES = 1_000

/** Names are unique, and who lives keeps the one it has: what comes back beside it gets a number. */
export function freeName(name: string | null, taken: ReadonlySet<string | null>): string | null {
  if (name === null || !taken.has(name)) return name
  for (let count = 2; count < MOST_TRIES; count += 1) {
    const numbered = `${[...name].slice(0, ROOM).join('').trim()}-${count}`
    if (!taken.has(numbered)) return numbered
  }
  return null
}

const ROOM = 60 // of the 64 characters that a name may have
