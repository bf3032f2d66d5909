import type { TerminalId } from '../base/ids.ts'
import type { CheckpointTerminal, WorkspaceState } from './checkpoint.ts'

/** Which paths a restore needs. Whether they exist is for the caller to find out; here it is only a fact. */
export type PathFacts = ReadonlyMap<string, boolean>
export type MissingPath = { readonly path: string; readonly terminals: readonly TerminalId[] }

/** A shell goes on in the directory it was in; an agent is known by the one it was started in. */
export const placeToWakeIn = ({ terminal, cwd }: CheckpointTerminal): string =>
  terminal.restore.kind === 'shell' ? (cwd ?? terminal.spec.cwd) : terminal.spec.cwd

export const pathsToCheck = ({ terminals }: WorkspaceState): readonly string[] =>
  [...new Set(terminals.flatMap((entry) => [placeToWakeIn(entry), ...programOf(entry)]))].sort()

/** A command without a slash is looked for in PATH at its start, and told then. */
const programOf = ({ terminal }: CheckpointTerminal): readonly string[] =>
  terminal.spec.command.startsWith('/') ? [terminal.spec.command] : []

export function missingPathsOf(entries: readonly CheckpointTerminal[], facts: PathFacts): readonly MissingPath[] {
  const paths = pathsToCheck({ terminals: entries, topology: { groups: [], dock: [] } }).filter((path) => facts.get(path) === false)
  return paths.map((path) => ({
    path,
    terminals: entries.filter((entry) => [placeToWakeIn(entry), ...programOf(entry)].includes(path)).map(({ terminal }) => terminal.id),
  }))
}
