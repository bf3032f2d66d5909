/** What is said while everything is closed. Pure. */
import { agentOf, type TerminalView } from '../../../wire/view.ts'
import { commandOf, describe, nameOf } from '../../state/words.ts'

const counted = (count: number): string => (count === 1 ? 'one terminal' : `${count} terminals`)

export const introWords = (count: number): string =>
  count === 0
    ? 'There are no terminals. Removes all workspaces and groups, after saving a checkpoint.'
    : `Closes ${counted(count)} and removes all workspaces and groups. A checkpoint is saved first, so you can undo this.`

/** As in `api: Claude Code is at work`. */
export function goesWords(terminal: TerminalView): string {
  const what = terminal.state === 'asleep' ? describe(terminal).state.toLowerCase() : (agentOf(terminal)?.label ?? commandOf(terminal))
  return `${nameOf(terminal)}: ${what}`
}

/** Those that sleep have kept everything; when all do, the checkpoint is taken. */
export function progressOf(terminals: readonly TerminalView[], count: number): string {
  const running = terminals.filter(({ state }) => state !== 'asleep').length
  if (terminals.length === 0 || running === 0) return 'Saving a checkpoint…'
  return `Ending programs: ${running} of ${count} still running…`
}

export const doneWords = (count: number): string =>
  count === 0
    ? 'The workspace is empty.'
    : `${count === 1 ? 'One terminal was' : `${count} terminals were`} closed. The workspace is empty.`
