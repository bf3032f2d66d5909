/** What can be done about terminals that went down with the machine; also on their card. */
import type { Action } from '../actions.ts'
import type { Parts } from '../parts.ts'

const isAsked = ({ page }: Parts): boolean => page.state.recovery !== null

export const RECOVERY_ACTIONS: readonly Action[] = [
  {
    id: 'recovery.resume',
    title: 'Resume all that was running before the machine went down',
    group: 'Page',
    keys: null,
    asks: 'recovery.answer',
    also: 'restore wake lost crash reboot',
    isPossible: isAsked,
    run: ({ page }) => void page.answerRecovery(page.state.recovery?.terminals ?? []),
  },
  {
    id: 'recovery.later',
    title: 'Leave what was running asleep for now',
    group: 'Page',
    keys: null,
    asks: 'recovery.answer',
    also: 'restore lost crash reboot dismiss',
    isPossible: isAsked,
    run: ({ page }) => void page.answerRecovery([]),
  },
]
