/** What is said before a terminal is forgotten. Pure, so that every sentence can be read and tested. */
import type { ForgetPlanView } from '../../wire/commands/forget.ts'
import { megabytes } from '../words.ts'

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** What goes and what stays; `plan` is null until the daemon has answered. */
export function forgetSentences(plan: ForgetPlanView | null): readonly string[] {
  if (plan === null) return ['Looking for its traces…']
  const parts = [
    ...counted(plan.runs, 'log', 'logs'),
    ...counted(plan.screens, 'screen', 'screens'),
    ...counted(plan.files, 'dropped file', 'dropped files'),
    ...counted(plan.auditEntries, 'audit entry', 'audit entries'),
  ]
  const { changed } = plan.checkpoints
  return [
    `Removes ${['its record', ...parts].join(', ')} (${megabytes(plan.bytes)}) and rewrites the databases.`,
    ...(changed === 0 ? [] : [`${changed} ${changed === 1 ? 'checkpoint stays' : 'checkpoints stay'}, without it.`]),
    ...(plan.copies === 0 ? [] : ['Damaged databases that were set aside are removed too.']),
    'Backups, exports and the agent’s own files are not touched.',
    'This cannot be undone.',
  ]
}
