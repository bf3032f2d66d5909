/** Where a terminal's program is now, as far as that can be seen; else where it was started. */
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { SeenPrograms } from './seen.ts'

export type Seeing = { readonly checkpoints: { readonly seen: Pick<SeenPrograms, 'of'> } }

export const directoryOf = (terminal: Terminal, { checkpoints }: Seeing): string => checkpoints.seen.of(terminal).cwd ?? terminal.spec.cwd

/** Where it is, and where it was started. */
export const directoriesOf = (terminal: Terminal, seeing: Seeing): string[] => [directoryOf(terminal, seeing), terminal.spec.cwd]
