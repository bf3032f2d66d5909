/**
 * What can be seen of a terminal's program from outside: where it is, and its environment, redacted. What could not be
 * seen this time does not un-know what was seen before. Linux tells through /proc; elsewhere only a shell that reports its
 * directory does.
 */
import { access, readFile, readlink } from 'node:fs/promises'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { parseProcStat } from '../../holder/processes.ts'
import { type CheckpointTerminal, shownRun } from '../../workspace/checkpoint/checkpoint.ts'
import type { Environment } from '../../workspace/redact/environment.ts'
import { captureEnvironment } from '../../workspace/redact/redact.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { environmentIn } from '../agents/linuxLook.ts'

export type Seen = { readonly cwd: string | null; readonly env: Environment }

export type SeenSources = {
  /** What the user's configuration lets through beyond the usual names. */
  readonly allow: readonly string[]
  /** Where the program itself says that it is. */
  readonly reported: (run: RunId) => string | null
}

type Known = Seen & { readonly run: RunId; readonly settledFor: readonly string[] | null }

const NOTHING: Seen = { cwd: null, env: {} }

export class SeenPrograms {
  private readonly known = new Map<RunId, Known>()
  /** A program was seen in another directory than it was before. */
  onMoved: (id: TerminalId) => void = () => undefined

  constructor(private readonly proc: string | null = process.platform === 'linux' ? '/proc' : null) {}

  of(terminal: Terminal): Seen {
    const run = shownRun(terminal)
    const { cwd, env } = (run === null ? undefined : this.known.get(run)) ?? NOTHING
    return { cwd, env }
  }

  /** Where a run was last seen. */
  placeOf(run: RunId): string | null {
    return this.known.get(run)?.cwd ?? null
  }

  /** What an earlier checkpoint saw of programs that have ended since: nobody can look again. */
  remember(entries: readonly CheckpointTerminal[]): void {
    for (const { terminal, cwd, env } of entries) {
      const run = shownRun(terminal)
      if (run !== null && !this.known.has(run)) this.known.set(run, { run, cwd, env, settledFor: null })
    }
  }

  async look(terminals: readonly Terminal[], sources: SeenSources): Promise<void> {
    const runs = new Set(
      terminals.flatMap((terminal) => [shownRun(terminal), ...(terminal.state === 'waking' ? [terminal.previousRun] : [])]),
    )
    for (const run of this.known.keys()) if (!runs.has(run)) this.known.delete(run)
    await Promise.all(terminals.map((terminal) => this.lookAt(terminal, sources)))
  }

  async lookAt(terminal: Terminal, { allow, reported }: SeenSources): Promise<void> {
    const pid = terminal.state === 'live' || terminal.state === 'settling' ? terminal.pid : null
    if (terminal.state === 'asleep' || pid === null) return
    const { run } = terminal
    const before = this.known.get(run)
    const [cwd, seenEnv] = await Promise.all([this.cwdOf(pid), before?.settledFor === allow ? null : this.environmentOf(pid)])
    const env = seenEnv === null ? (before?.env ?? {}) : captureEnvironment(seenEnv, allow)
    // Between fork and exec a process still has its holder's environment; ours bears the terminal's id.
    const settledFor = seenEnv === null ? (before?.settledFor ?? null) : seenEnv['HOLDFAST_TERMINAL_ID'] === terminal.id ? allow : null
    const place = cwd ?? reported(run) ?? before?.cwd ?? null
    const placeBefore = this.known.get(run)?.cwd ?? terminal.spec.cwd
    this.known.set(run, { run, cwd: place, env, settledFor })
    if (place !== null && place !== placeBefore) this.onMoved(terminal.id)
  }

  /** Of whoever has the keyboard, or else of the program that the terminal was started with. */
  private async cwdOf(pid: number): Promise<string | null> {
    if (this.proc === null) return null
    const stat = await readFile(`${this.proc}/${pid}/stat`, 'latin1').catch(() => null)
    const group = stat === null ? 0 : (parseProcStat(stat)?.foregroundGroup ?? 0)
    return (group > 0 && group !== pid ? await this.directoryOf(group) : null) ?? (await this.directoryOf(pid))
  }

  private async directoryOf(pid: number): Promise<string | null> {
    const directory = await readlink(`${this.proc}/${pid}/cwd`).catch(() => null) // it has ended, or is another user's
    if (directory === null || !directory.endsWith(DELETED)) return directory
    const isThere = await access(directory).then(
      () => true,
      () => false,
    )
    return isThere ? directory : directory.slice(0, -DELETED.length)
  }

  private async environmentOf(pid: number): Promise<Environment | null> {
    const text = this.proc === null ? null : await readFile(`${this.proc}/${pid}/environ`, 'utf8').catch(() => null)
    return text === null || text === '' ? null : environmentIn(text)
  }
}

/** What the kernel says of a directory that was removed under a program. */
const DELETED = ' (deleted)'
