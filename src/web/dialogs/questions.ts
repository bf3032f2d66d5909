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
  /** A choice beside the field; off at first. */
  readonly tick?: { readonly label: string; readonly hint: string }
  /** What it would do, as lines: shown before the answer is given. */
  readonly plan?: (page: Page, given: Given) => Promise<Result<readonly string[]>>
  /** What was done, in a sentence. */
  readonly answer: (page: Page, given: Given) => Promise<Result<string>>
}

export type Given = {
  readonly text: string
  readonly isTicked: boolean
  /** Null until it turns out that one is needed. */
  readonly passphrase: string | null
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
        answer: async (page, { text }) => {
          const taken = await page.ask('checkpoint.create', text === '' ? {} : { note: text })
          return taken.ok ? done(`Taken, of ${taken.value.terminalCount} terminals.`) : taken
        },
      }
    case 'exportTo':
      return {
        title: question.checkpoint === null ? 'Export everything' : 'Export the checkpoint',
        hint: 'Layout, commands and conversations in one file on the machine of the daemon. Values that look like secrets are left out. To encrypt it, use holdfast export --seal in a terminal.',
        label: 'Path of the file',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Export',
        mayBeEmpty: false,
        tick: { label: 'Include screens', hint: 'Everything programs printed goes along, secrets too.' },
        answer: async (page, { text: file, isTicked: screens }) => {
          const chosen = question.checkpoint === null ? {} : { checkpoint: question.checkpoint }
          const written = await page.ask('workspace.export', { file, force: false, screens, ...chosen })
          return written.ok ? done(`${written.value.terminals} terminals are in ${written.value.file}.`) : written
        },
      }
    case 'importFrom':
      return {
        title: 'Import from a file',
        hint: 'What it holds is put beside what is here, asleep. Nothing is started or replaced; the first wake of each terminal asks.',
        label: 'Path of the file on the machine of the daemon',
        placeholder: '/home/me/workspace.holdfast',
        verb: 'Import',
        mayBeEmpty: false,
        plan: async (page, given) => {
          const planned = await page.ask('workspace.import', { ...importOf(given), planOnly: true })
          return planned.ok ? done(planned.value.plan.lines) : planned
        },
        answer: async (page, given) => {
          const taken = await page.ask('workspace.import', { ...importOf(given), planOnly: false })
          return taken.ok ? done(`${taken.value.plan.steps.length} terminals are here, asleep.`) : taken
        },
      }
    default:
      return assertNever(question)
  }
}

const importOf = ({ text: file, passphrase }: Given) => ({ file, ...(passphrase === null ? {} : { passphrase }) })
