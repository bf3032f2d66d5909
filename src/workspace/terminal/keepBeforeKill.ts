import { assertNever } from '../../base/assertNever.ts'
import type { Effect } from './events.ts'

/** First law: what must survive is written before anything that cannot be undone. To forget is to write, too. */
export function keepsBeforeKill(effects: readonly Effect[]): boolean {
  const firstWrite = effects.findIndex(({ kind }) => kind === 'keep' || kind === 'forget')
  return effects.every((effect, index) => !cannotBeUndone(effect) || (firstWrite !== -1 && firstWrite < index))
}

/** A violation is a bug: the daemon ends loudly before it does harm, and the holders keep the programs. */
export function assertKeepBeforeKill(effects: readonly Effect[]): void {
  if (!keepsBeforeKill(effects)) throw new Error(`keep must come before kill: ${effects.map(({ kind }) => kind).join(', ')}`)
}

function cannotBeUndone({ kind }: Effect): boolean {
  switch (kind) {
    case 'spawn':
    case 'settle':
    case 'kill':
    case 'releaseHolder':
      return true
    case 'keep':
    case 'keepScreen':
    case 'hearLastWords':
    case 'forget':
    case 'announce':
      return false
  }
  return assertNever(kind)
}
