import type { Restore } from './terminal.ts'

/** How much a restore target knows. A conversation without an id cannot be resumed, so it knows nothing. */
function knowledge(restore: Restore): number {
  if (restore.kind === 'conversation') return restore.id === '' || restore.agent === '' ? 0 : 2
  return restore.kind === 'latest' ? 1 : 0
}

/**
 * Absence is not an ending: an observer that could see less never costs a known conversation.
 * An equally good sight wins, because an agent's id rotates while it runs.
 */
export function betterRestore(known: Restore, seen: Restore): Restore {
  const enough = knowledge(seen) >= knowledge(known)
  return enough && !(seen.kind === 'conversation' && knowledge(seen) === 0) ? seen : known
}
