/** What is said while everything is closed. Pure. */
import type { TerminalView } from '../../../wire/view.ts'
import { commandOf, describe, nameOf } from '../../words.ts'

const counted = (count: number): string => (count === 1 ? 'one terminal' : `${count} terminals`)

export const introWords = (count: number): string =>
  count === 0
    ? 'There is no terminal. All workspaces and groups are taken away; a checkpoint is kept first.'
    : `This closes ${counted(count)} and takes all workspaces and groups away. A checkpoint is kept first, so that it can be taken back.`

/** As in `api: Claude Code is at work`. */
export function goesWords(terminal: TerminalView): string {
  const { agent, state } = terminal
  const what = state === 'asleep' ? describe(terminal).state.toLowerCase() : (agent?.label ?? commandOf(terminal))
  return `${nameOf(terminal)}: ${what}`
}

/** Those that sleep have kept everything; when all do, the checkpoint is taken. */
export function progressOf(terminals: readonly TerminalView[], count: number): string {
  const running = terminals.filter(({ state }) => state !== 'asleep').length
  if (terminals.length === 0 || running === 0) return 'Keeping a checkpoint…'
  return `Ending programs: ${running} of ${count} still ${running === 1 ? 'runs' : 'run'}…`
}

export const doneWords = (count: number): string =>
  count === 0
    ? 'The workspace is as new.'
    : `${count === 1 ? 'One terminal was' : `${count} terminals were`} closed; the workspace is as new.`
