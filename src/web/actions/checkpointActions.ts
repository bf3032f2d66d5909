/** What can be done with checkpoints: the whole workspace as it was at a moment. */

import type { Parts } from '../hooks/parts.ts'
import { commandOf, type Question } from '../state/overlay.ts'
import type { Action } from './action.ts'

const asking = (question: Question, row: Pick<Action, 'id' | 'title' | 'also'>): Action => ({
  ...row,
  group: 'Checkpoints',
  keys: null,
  asks: commandOf({ kind: 'question', question }),
  run: ({ page }) => page.open({ kind: 'question', question }),
})

export const CHECKPOINT_ACTIONS: readonly Action[] = [
  asking({ kind: 'checkpointNote' }, { id: 'checkpoint.create', title: 'Save a checkpoint…', also: 'save backup keep' }),
  {
    id: 'checkpoint.travel',
    title: 'Time travel…',
    group: 'Checkpoints',
    keys: 'Ctrl+Shift+H',
    asks: 'checkpoint.list',
    also: 'checkpoints history undo back restore timeline look',
    run: ({ page }) => page.open({ kind: 'travel', checkpoint: null }),
  },
  asking({ kind: 'exportTo', checkpoint: null }, { id: 'workspace.export', title: 'Export everything to a file…', also: 'save' }),
  {
    id: 'workspace.startOver',
    title: 'Start over with an empty workspace…',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.startOver',
    also: 'reset clear close all new empty',
    run: ({ page }) => page.open({ kind: 'startOver' }),
  },
  asking({ kind: 'importFrom' }, { id: 'workspace.import', title: 'Import from a file…', also: 'load' }),
]

const isAsked = ({ page }: Parts): boolean => page.state.recovery !== null

export const RECOVERY_ACTIONS: readonly Action[] = [
  {
    id: 'recovery.resume',
    title: 'Resume all interrupted terminals',
    group: 'Page',
    keys: null,
    asks: 'recovery.answer',
    also: 'restore wake lost crash reboot',
    isPossible: isAsked,
    run: ({ page }) => void page.answerRecovery(page.state.recovery?.terminals ?? []),
  },
  {
    id: 'recovery.later',
    title: 'Leave interrupted terminals asleep',
    group: 'Page',
    keys: null,
    asks: 'recovery.answer',
    also: 'restore lost crash reboot dismiss',
    isPossible: isAsked,
    run: ({ page }) => void page.answerRecovery([]),
  },
]
