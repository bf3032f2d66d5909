/** What is asked in one field, and what its answer does. */
import { assertNever } from '../../base/assertNever.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { Question } from '../state/overlay.ts'
import type { Page } from '../state/page.ts'

export type Asking = {
  readonly title: string
  readonly hint: string
  readonly label: string
  readonly placeholder: string
  readonly verb: string
  readonly mayBeEmpty: boolean
  /** A choice beside the field; off at first. */
  readonly tick?: { readonly label: string; readonly hint: string }
  /** What it would do, as lines: shown before the answer is given. */
  readonly plan?: (page: Page, given: Given) => Promise<Result<readonly string[]>>
  /** What was done, in a sentence. */
  readonly answer: (page: Page, given: Given) => Promise<Result<string>>
}

type Given = {
  readonly text: string
  readonly isTicked: boolean
  /** Null until it turns out that one is needed. */
  readonly passphrase: string | null
}

export function askingOf(question: Question): Asking {
  switch (question.kind) {
    case 'checkpointNote':
      return {
        title: 'Save a checkpoint',
        hint: 'Saves the layout, screens and conversations of all workspaces, to restore later.',
        label: 'Note (optional)',
        placeholder: 'before the big change',
        verb: 'Save',
        mayBeEmpty: true,
        answer: async (page, { text }) => {
          const taken = await page.ask('checkpoint.create', text === '' ? {} : { note: text })
          return taken.ok ? done(`Saved a checkpoint of ${taken.value.terminalCount} terminals.`) : taken
        },
      }
    case 'exportTo':
      return {
        title: question.checkpoint === null ? 'Export everything' : 'Export the checkpoint',
        hint: 'Writes layout, commands and conversations to one file on the daemon’s machine, without values that look like secrets. To encrypt it, use holdfast export --seal in a terminal.',
        label: 'Path of the file',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Export',
        mayBeEmpty: false,
        tick: { label: 'Include screens', hint: 'Includes all output of programs, even secrets.' },
        answer: async (page, { text: file, isTicked: screens }) => {
          const chosen = question.checkpoint === null ? {} : { checkpoint: question.checkpoint }
          const written = await page.ask('workspace.export', { file, force: false, screens, ...chosen })
          return written.ok ? done(`Exported ${written.value.terminals} terminals to ${written.value.file}.`) : written
        },
      }
    case 'importFrom':
      return {
        title: 'Import from a file',
        hint: 'Adds its workspaces to yours, with all terminals asleep. Nothing is started or replaced; the first wake of each terminal asks.',
        label: 'Path of the file on the daemon’s machine',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Import',
        mayBeEmpty: false,
        plan: async (page, given) => {
          const planned = await page.ask('workspace.import', { ...importOf(given), planOnly: true })
          return planned.ok ? done(planned.value.plan.lines) : planned
        },
        answer: async (page, given) => {
          const taken = await page.ask('workspace.import', { ...importOf(given), planOnly: false })
          return taken.ok ? done(`Imported ${taken.value.plan.steps.length} terminals; they are asleep.`) : taken
        },
      }
    default:
      return assertNever(question)
  }
}

const importOf = ({ text: file, passphrase }: Given) => ({ file, ...(passphrase === null ? {} : { passphrase }) })
