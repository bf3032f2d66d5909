/** Why a terminal has its size, in a few words without a full stop: the same on the page and in a shell. */
import { assertNever } from '../base/assertNever.ts'
import type { SizedBy } from './sizing.ts'
import type { Size } from './terminal.ts'

export function sizedText(by: SizedBy, { cols, rows }: Size): string {
  const size = `${cols}×${rows}`
  switch (by.kind) {
    case 'nobody':
      return `Left at ${size} by whoever looked last`
    case 'client':
      return `Sized by ${lookerText(by.who)}: ${size}`
    case 'smallest':
      return `Sized for the smallest window: ${size}`
    case 'hand':
      return `Set to ${size} by hand`
    case 'fixed':
      return `Fixed at ${size}`
    case 'tmux':
      return `Sized by your tmux: ${size}`
  }
  return assertNever(by)
}

function lookerText(who: string): string {
  switch (who) {
    case 'page':
      return 'another page'
    case 'attach':
      return 'attach on this machine'
    default:
      return who === '' ? 'another client' : who
  }
}

/** Whether a client can have the size for itself by asking. */
export function canTakeLead(by: SizedBy): boolean {
  switch (by.kind) {
    case 'nobody':
    case 'client':
      return true
    case 'hand':
      return true
    case 'smallest':
    case 'fixed':
    case 'tmux':
      return false
  }
  return assertNever(by)
}
