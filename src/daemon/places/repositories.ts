/**
 * Places: directories, git repositories and worktrees. Looking runs no program of the repository: most is read from git's files, and
 * `git.ts` alone starts git. Directories come in from terminals and commands; nothing here knows terminals. Start here: the repository
 * of each directory in use. It is looked up on the first question, and again when its HEAD changes or a terminal there prints. A disk
 * that does not answer blocks no caller: the question stays open in the background, and their number is limited.
 */
import { basename } from 'node:path'
import { sameValue } from '../../workspace/sameValue.ts'
import { watchDirectory } from '../base/watchDirectory.ts'
import { findRepository, type Repository } from './findRepository.ts'
import { Patience } from './patience.ts'

/** What was printed may mean a new repository; that is looked for soon, but not all the time. */
const AFTER_OUTPUT_MS = 200
const LOOK_AGAIN_MS = 2_000
/** git puts another file in the place of HEAD, and does more before it is done. */
const AFTER_HEAD_MS = 50
export const ANSWER_WITHIN_MS = 2_000
const MOST_OPEN = 2
/** A repository is found in a millisecond, and is not worth more than this. */
const USED_WITHIN_MS = 150

export type RepositoriesOptions = {
  /** The directories in use; all others are forgotten. */
  readonly used: () => Iterable<string>
  readonly changed: (directories: ReadonlySet<string>) => void
  readonly find?: (directory: string) => Promise<Repository | null>
}

export class Repositories {
  private readonly known = new Map<string, Repository | null>()
  private readonly watchers = new Map<string, { close(): void } | null>()
  /** Which directory is to be looked at, and when. */
  private readonly due = new Map<string, number>()
  private readonly lookedAt = new Map<string, number>()
  /** Directories that have not answered in time. */
  private readonly open = new Set<string>()
  private readonly patience = new Patience({ withinMs: ANSWER_WITHIN_MS, mostOpen: MOST_OPEN })
  private readonly waiting = new Set<() => void>()
  private timer: NodeJS.Timeout | undefined
  private isLooking = false
  private isStopped = false
  private readonly find: (directory: string) => Promise<Repository | null>

  constructor(private readonly options: RepositoriesOptions) {
    this.find = options.find ?? findRepository
  }

  /** As far as it is known now; a change is announced. */
  of(directory: string): Repository | null {
    const found = this.known.get(directory)
    if (found === undefined && !this.open.has(directory)) this.lookSoon(directory, 0)
    return found ?? null
  }

  /** Something was printed by programs that are in these directories. */
  printed(directories: Iterable<string>): void {
    const now = performance.now()
    for (const directory of directories) {
      const again = (this.lookedAt.get(directory) ?? Number.NEGATIVE_INFINITY) + LOOK_AGAIN_MS - now
      this.lookSoon(directory, Math.max(AFTER_OUTPUT_MS, again))
    }
  }

  /** So that an answer need not be followed by events that complete it; a slow disk is not waited for. */
  async knowUsed(): Promise<void> {
    await this.know(this.options.used(), USED_WITHIN_MS)
  }

  /** Resolves when all these directories are known, or after `withinMs`. */
  async know(directories: Iterable<string>, withinMs: number): Promise<void> {
    const missing = new Set([...directories].filter((directory) => !this.known.has(directory) && !this.open.has(directory)))
    for (const directory of missing) this.lookSoon(directory, 0)
    if (missing.size === 0 || this.isStopped) return
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        this.waiting.delete(look)
        resolve()
      }
      const look = (): void => {
        if ([...missing].every((directory) => this.known.has(directory))) finish()
      }
      const timer = setTimeout(finish, withinMs)
      this.waiting.add(look)
    })
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
    for (const watcher of this.watchers.values()) watcher?.close()
    this.watchers.clear()
  }

  private lookSoon(directory: string, inMs: number): void {
    const at = performance.now() + inMs
    this.due.set(directory, Math.min(at, this.due.get(directory) ?? at))
    this.schedule()
  }

  private schedule(): void {
    if (this.isStopped || this.isLooking || this.due.size === 0 || this.patience.isExhausted) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.lookAtDue(), Math.max(0, Math.min(...this.due.values()) - performance.now())).unref()
  }

  /** One after the other: all of this is behind everything else. */
  private async lookAtDue(): Promise<void> {
    this.isLooking = true
    const changed = new Set<string>()
    const now = performance.now()
    for (const [directory] of [...this.due].filter(([, at]) => at <= now + 1)) {
      if (this.isStopped || this.patience.isExhausted) break // what is due stays so, until one of them answers
      this.due.delete(directory)
      if (!this.open.has(directory) && (await this.lookAt(directory))) changed.add(directory)
    }
    this.isLooking = false
    if (!this.isStopped && changed.size > 0) this.options.changed(changed)
    for (const look of [...this.waiting]) look()
    this.forget()
    this.schedule()
  }

  /** Whether something is different now. */
  private async lookAt(directory: string): Promise<boolean> {
    const asked = await this.patience.ask(() => this.find(directory).catch(() => null))
    if (asked.kind === 'answer') return this.take(directory, asked.value)
    if (asked.kind === 'refused') this.due.set(directory, performance.now())
    else {
      this.open.add(directory)
      void asked.value.then((answer) => this.answeredLate(directory, answer))
    }
    return false
  }

  private answeredLate(directory: string, found: Repository | null): void {
    this.open.delete(directory)
    if (this.isStopped) return
    if (this.take(directory, found)) this.options.changed(new Set([directory]))
    this.schedule()
  }

  /** A directory of which nothing was known is new even where there is no repository; that is not announced. */
  private take(directory: string, found: Repository | null): boolean {
    const before = this.known.get(directory) ?? null
    this.known.set(directory, found)
    this.lookedAt.set(directory, performance.now())
    if (found !== null) this.follow(found.gitDirectory, directory)
    return !sameValue(before, found)
  }

  private follow(gitDirectory: string, directory: string): void {
    if (this.isStopped || this.watchers.has(gitDirectory)) return
    const names = new Set(['HEAD', basename(gitDirectory)]) // its own name means that it is gone
    const heard = (name: string | null): void => {
      if (name === null || names.has(name)) this.headChanged(gitDirectory)
    }
    this.watchers.set(gitDirectory, watchDirectory(gitDirectory, heard))
    this.lookSoon(directory, AFTER_HEAD_MS) // it may have changed between the look and the watch
  }

  private headChanged(gitDirectory: string): void {
    for (const [directory, found] of this.known) if (found?.gitDirectory === gitDirectory) this.lookSoon(directory, AFTER_HEAD_MS)
  }

  private forget(): void {
    const used = new Set(this.options.used())
    for (const directory of this.known.keys()) if (!used.has(directory)) this.drop(directory)
    const followed = new Set([...this.known.values()].flatMap((found) => (found === null ? [] : [found.gitDirectory])))
    for (const [gitDirectory, watcher] of this.watchers) {
      if (followed.has(gitDirectory)) continue
      watcher?.close()
      this.watchers.delete(gitDirectory)
    }
  }

  private drop(directory: string): void {
    this.known.delete(directory)
    this.lookedAt.delete(directory)
    this.due.delete(directory)
  }
}
