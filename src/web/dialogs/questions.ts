/** What is asked in one field, and what its answer does. */
import { assertNever } from '../../base/assertNever.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { Question } from '../overlay.ts'
import type { Page } from '../page.ts'

export type Asking = {
  readonly title: string
  readonly hint: string
  readonly label: string
  readonly placeholder: string
  readonly verb: string
  readonly mayBeEmpty: boolean
  /** What was done, in a sentence. */
  readonly answer: (page: Page, text: string) => Promise<Result<string>>
}

export function askingOf(question: Question): Asking {
  switch (question.kind) {
    case 'checkpointNote':
      return {
        title: 'Take a checkpoint',
        hint: 'The whole workspace as it is now: layout, screens, conversations. It can be restored later.',
        label: 'Note (may be empty)',
        placeholder: 'before the big change',
        verb: 'Take it',
        mayBeEmpty: true,
        answer: async (page, text) => {
          const taken = await page.ask('checkpoint.create', text === '' ? {} : { note: text })
          return taken.ok ? done(`Taken, of ${taken.value.terminalCount} terminals.`) : taken
        },
      }
    case 'exportTo':
      return {
        title: question.checkpoint === null ? 'Export everything' : 'Export the checkpoint',
        hint: 'Layout, records and screens in one file on the machine of the daemon, without secrets.',
        label: 'Path of the file',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Export',
        mayBeEmpty: false,
        answer: async (page, file) => {
          const chosen = question.checkpoint === null ? {} : { checkpoint: question.checkpoint }
          const written = await page.ask('workspace.export', { file, force: false, ...chosen })
          return written.ok ? done(`${written.value.terminals} terminals are in ${written.value.file}.`) : written
        },
      }
    case 'importFrom':
      return {
        title: 'Import from a file',
        hint: 'What it holds is put beside what is here, asleep. Nothing is started or replaced.',
        label: 'Path of the file on the machine of the daemon',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Import',
        mayBeEmpty: false,
        answer: async (page, file) => {
          const taken = await page.ask('workspace.import', { file, planOnly: false })
          return taken.ok ? done(taken.value.plan.lines.join('\n') || 'It is here.') : taken
        },
      }
    default:
      return assertNever(question)
  }
}
