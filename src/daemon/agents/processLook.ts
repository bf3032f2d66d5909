/**
 * What the system tells about the processes of a terminal, behind one interface: Linux through /proc, macOS through `ps`
 * and `lsof`. A process that cannot be seen is null, which says nothing about whether it is there.
 */
import type { ProcessSight, SelfName } from '../../agents/agent.ts'
import type { Confinement } from '../../workspace/wrapper/confinement.ts'

/** A pid alone names nothing; with its start it names one process for ever. */
export type ProcessName = Pick<ProcessSight, 'pid' | 'start'>

export type Keyboard = {
  /** The process group that reads what is typed. */
  readonly group: number
  /** Of that group, or whoever is left of it. */
  readonly leader: ProcessName & { readonly name: string }
}

export type ProcessLook = {
  /** Begins a look: what must be read for all terminals together is read once. */
  begin(): Promise<Sight>
}

/** What one look sees; not to be kept. */
export type Sight = {
  /** Whether the words of a command line are told apart, or only guessed from the blanks between them. */
  readonly hasWords: boolean
  /** Who has the keyboard of the terminal that `root` is the program of; cheap. Null where that cannot be seen. */
  keyboardOf(root: ProcessName): Keyboard | null
  /** The program, everybody below it, and the group that has the keyboard with everybody below that. */
  processesOf(root: ProcessName, group: number): Promise<readonly ProcessSight[]>
  find(pid: number): Promise<ProcessSight | null>
  /** False only where it was seen to be gone. A process that has ended and waits for its parent is gone. */
  isThere(process: ProcessName): boolean
  startedAt(process: ProcessName): number
  cwdOf(pid: number): Promise<string | null>
  /** Those of the named variables that it was started with; null where that cannot be seen. */
  environmentOf(pid: number, names: readonly string[]): Promise<Readonly<Record<string, string>> | null>
  /** Null where the system does not tell. */
  confinementOf(pid: number): Confinement | null
  /** Null where it is gone, or cannot be seen. */
  selfNameOf(pid: number): SelfName | null
  /** Paths of the files that they hold open. */
  openFilesOf(pids: readonly number[]): Promise<readonly string[]>
}

/** All of them that can be seen. */
export const selvesOf = (sight: Pick<Sight, 'selfNameOf'>, pids: readonly number[]): readonly SelfName[] =>
  pids.flatMap((pid) => sight.selfNameOf(pid) ?? [])

/** Ways from `root` and from the group that has the keyboard downwards, each process once. */
export function treeBelow(starts: readonly number[], childrenOf: (pid: number) => readonly number[]): readonly number[] {
  const seen = new Set(starts)
  for (const pid of seen) for (const child of childrenOf(pid)) seen.add(child)
  return [...seen]
}

/** Parent → children. */
export function grouped(everybody: readonly { readonly pid: number; readonly parent: number }[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  for (const { pid, parent } of everybody) {
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [pid])
    else known.push(pid)
  }
  return children
}
