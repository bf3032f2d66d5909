/** What happens to a terminal that is to be woken, as a plan: the same whether its user asks or the restore policy does. */
import type { RunId } from '../../base/ids.ts'
import type { TerminalEvent } from './events.ts'
import type { Conversation } from './resume.ts'
import { withoutWithheld } from './step.ts'
import { type Asleep, isGuest, type Size, type WakeMode } from './terminal.ts'

export type WakeWish = {
  readonly mode: WakeMode
  /** The user asks, and sees how it ended; false for the restore policy. */
  readonly isByUser: boolean
  /** The conversation that the user chose; null where none was chosen. */
  readonly chosen: Conversation | null
  readonly isConfirmed: boolean
  /** Its user does without the arguments that were not stored. */
  readonly withoutArguments: boolean
}

/** `refused`: nothing can be started as things are. */
export type WakeCheck =
  | { readonly kind: 'startable'; readonly run: RunId; readonly size: Size | null }
  | { readonly kind: 'refused'; readonly reason: string; readonly isConversationGone: boolean }

export type WakePlan = {
  /** Kept one after another before it is woken. */
  readonly before: readonly TerminalEvent[]
  /** Null where it stays asleep. */
  readonly wake: Extract<TerminalEvent, { readonly kind: 'wakeAsked' }> | null
}

/** The terminal as it would be started. */
export const asWished = (terminal: Asleep, { chosen, withoutArguments }: WakeWish): Asleep => ({
  ...terminal,
  ...(chosen === null ? {} : { restore: chosen }),
  ...(withoutArguments ? { spec: withoutWithheld(terminal.spec) } : {}),
})

export function planWake(terminal: Asleep, wish: WakeWish, check: WakeCheck): WakePlan {
  const { mode, isByUser, chosen, isConfirmed, withoutArguments } = wish
  if (check.kind === 'refused') return { before: isTold(wish, check) ? [{ kind: 'wakeRefused', reason: check.reason }] : [], wake: null }
  const { run, size } = check
  return {
    before: [
      ...(isByUser ? [{ kind: 'looked' } as const] : []),
      ...(withoutArguments ? [{ kind: 'withheldDropped' } as const] : []),
      // The first prompt has the size of those who look, and not a second one after a resize. The tmux of a guest decides its size.
      ...(size === null || isGuest(terminal) ? [] : [{ kind: 'resized', size } as const]),
    ],
    wake: { kind: 'wakeAsked', run, mode, isConfirmed, ...(chosen === null ? {} : { chosen }) },
  }
}

/** A user is answered. What nobody asked for, and a conversation of its own that is gone, is told by the terminal itself. */
const isTold = ({ isByUser, chosen }: WakeWish, { isConversationGone }: Extract<WakeCheck, { readonly kind: 'refused' }>): boolean =>
  !isByUser || (isConversationGone && chosen === null)
