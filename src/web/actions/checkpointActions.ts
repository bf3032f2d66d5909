/** What can be done with checkpoints: the whole workspace as it was at a moment. */
import type { Action } from '../actions.ts'
import { commandOf, type Question } from '../overlay.ts'

const asking = (question: Question, row: Pick<Action, 'id' | 'title' | 'also'>): Action => ({
  ...row,
  group: 'Checkpoints',
  keys: null,
  asks: commandOf({ kind: 'question', question }),
  run: ({ page }) => page.open({ kind: 'question', question }),
})

export const CHECKPOINT_ACTIONS: readonly Action[] = [
  asking({ kind: 'checkpointNote' }, { id: 'checkpoint.create', title: 'Take a checkpoint…', also: 'save backup keep' }),
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
