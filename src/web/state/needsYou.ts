/** Terminals whose agent waits for the user. Pure. */
import { agentOf, type TerminalView } from '../../wire/view.ts'

/** Terminals whose agent waits for the user; the longest wait comes first. */
export const needingYou = (terminals: readonly TerminalView[]): readonly TerminalView[] =>
  terminals.filter(needsYou).toSorted((a, b) => (agentOf(a)?.since ?? 0) - (agentOf(b)?.since ?? 0))

export const needsYou = (terminal: TerminalView): boolean => agentOf(terminal)?.state === 'needs-you'

/** The next terminal that needs the user, after the focused one; it cycles through all of them. */
export function nextNeedingYou(terminals: readonly TerminalView[], focused: string | null): TerminalView | null {
  const all = needingYou(terminals)
  return all[(all.findIndex(({ id }) => id === focused) + 1) % all.length] ?? null
}

/** What an agent that needs the user wants. */
export function wantOf(terminal: TerminalView): string {
  switch (agentOf(terminal)?.wants ?? null) {
    case 'permission':
      return 'asks for permission'
    case 'question':
      return 'asks a question'
    case null:
      return 'is waiting for you'
  }
}
