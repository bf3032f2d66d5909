import type { Restore } from './terminal.ts'

/** How much a restore target knows. A conversation without an id cannot be resumed, so it knows nothing. */
function knowledge(restore: Restore): number {
  if (restore.kind === 'conversation') return restore.id === '' || restore.agent === '' ? 0 : 2
  return restore.kind === 'unknown' ? 1 : 0
}

/**
 * Absence is not an ending: an observer that could see less never costs a known conversation.
 * An equally good sight wins, because an agent's id rotates while it runs.
 */
export function betterRestore(known: Restore, seen: Restore): Restore {
  const enough = knowledge(seen) >= knowledge(known)
  return enough && !(seen.kind === 'conversation' && knowledge(seen) === 0) ? seen : known
}

/** Of an agent that was left: a conversation of it that is chosen later is resumed in what this one ran in. */
export function leftOf(agent: string, known: Restore): Extract<Restore, { readonly kind: 'quit' }> {
  if (known.kind !== 'conversation' && known.kind !== 'quit') return { kind: 'quit', agent, id: null }
  return { kind: 'quit', agent, id: known.id, ...(known.wrapper === undefined ? {} : { wrapper: known.wrapper }) }
}
