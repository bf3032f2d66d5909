import type { TerminalView } from '../../wire/view.ts'
import { usePageState } from '../parts.ts'
import { withTrouble } from './healthWords.ts'

/** A terminal with what its health has to say about it: for all who say how it does. */
export function useTold(terminal: TerminalView): TerminalView {
  const { health } = usePageState()
  return withTrouble(terminal, health)
}
