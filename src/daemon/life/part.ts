/** How the parts of the daemon start and stop: one list (`parts.ts`), run forwards at the start and backwards at the end. */
import type { Log } from '../base/log.ts'

/** A signal may mean that the machine goes down: then every part has a limit. A command waits for the disk. */
export type StoppedBy = 'command' | 'signal'

export type Part = {
  readonly name: string
  start?(): void | Promise<void>
  /** Nothing new begins from now on. All parts are told at once, before any is stopped. */
  quiet?(by: StoppedBy): void
  stop?(by: StoppedBy): unknown
  /** How long `stop` may take, in milliseconds. Left out: as long as it takes. */
  readonly patience?: Readonly<Record<StoppedBy, number>>
}

export class Life {
  private parts: readonly Part[] = []
  private isStopping = false
  private readonly ended = new Later<void>()
  /** Everything has stopped. */
  readonly over = this.ended.promise

  constructor(private readonly log: Pick<Log, 'info'>) {}

  async start(parts: readonly Part[]): Promise<void> {
    for (const part of parts) await part.start?.()
    this.parts = parts
  }

  /** Before everything has started there is nothing to stop: nothing is lost with a process that is killed then. */
  stop(by: StoppedBy = 'command'): Promise<void> {
    if (this.parts.length === 0) return Promise.resolve()
    if (!this.isStopping) this.ended.give(this.end(by))
    this.isStopping = true
    return this.over
  }

  private async end(by: StoppedBy): Promise<void> {
    const at = Date.now()
    this.log.info({ by }, 'the daemon stops')
    const backwards = this.parts.toReversed()
    for (const part of backwards) part.quiet?.(by)
    for (const part of backwards) {
      // A part that fails has said so itself.
      const stopped = (async () => part.stop?.(by))().catch(() => undefined)
      await (part.patience === undefined ? stopped : within(stopped, part.patience[by]))
    }
    this.log.info({ ms: Date.now() - at }, 'the daemon has stopped')
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** Something that a later part gives, and earlier ones may wait for. */
export class Later<Value> {
  give: (value: Value | Promise<Value>) => void = () => undefined
  readonly promise = new Promise<Value>((resolve) => {
    this.give = resolve
  })
}
