import type { TerminalView } from '../../wire/view.ts'

/** Of a guest that sleeps here: nothing has ended. */
export const letGoText = ({ id, name }: Pick<TerminalView, 'id' | 'name'>): string =>
  `${name ?? id} was let go: its program goes on in your tmux`
