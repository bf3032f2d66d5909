/** A fault that is brought about for real, and all that was shown of it from then until everything was well again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { DaemonEvent } from '../../src/wire/daemon.ts'
import type { HealthView, WatchedView } from '../../src/wire/healthView.ts'
import { connectTo } from './daemon.ts'
import { run } from './holdfast.ts'
import { until } from './milestone.ts'
import type { TerminalRow } from './terminalView.ts'

const INTERVAL_S = 1
const PATIENCE_MS = 30_000
const READS = ['--', 'sh', '-c', 'stty -echo; echo "last words of $0"; while read line; do echo "got $line"; done']

export type Where = { readonly path: string }
type Kind = WatchedView['kind']

/** What was shown from one moment on, in milliseconds of this process. */
export type Look = { readonly at: number; readonly health: HealthView; readonly terminals: readonly TerminalRow[] }
/** A line of the daemon's log about somebody's health. */
type Logged = { readonly msg: string; readonly kind?: Kind; readonly to?: WatchedView['state']; readonly why?: string | null }

export function watchClosely(home: Where): void {
  const health = `[health]\ninterval_s = ${INTERVAL_S}\ndeadline_ms = 1000\n`
  writeFileSync(`${home.path}/config.toml`, `${health}[web]\nport = 0\n`)
}

/** Starts a program that answers each line; the screen's first one says whose it is. */
export async function startProgram(home: Where, name: string, options: { readonly args?: readonly string[]; readonly env?: object } = {}) {
  const started = await run(home.path, ['new', '--name', name, ...(options.args ?? []), ...READS, name], { env: { ...options.env } })
  if (started.code !== 0) throw new Error(started.stderr)
  const waited = await run(home.path, ['wait', name, '--text', `last words of ${name}`, '--timeout', '20'])
  if (waited.code !== 0) throw new Error(waited.stderr)
}

export const isWell = ({ overall, watched }: HealthView): boolean => overall === 'well' && watched.every(({ state }) => state === 'alive')

/** Everything that a client is told from now on. Nobody is asked: a holder that is asked how it does may mend itself. */
export class Story implements Disposable {
  readonly looks: Look[] = []
  private readonly logFrom: number

  private constructor(
    private readonly home: Where,
    private readonly client: DaemonClient,
  ) {
    this.logFrom = this.readLog().length
    client.watch({
      onAll: ({ health, terminals }) => health !== undefined && this.looks.push({ at: performance.now(), health, terminals }),
      onEvent: (event) => this.tell(event),
    })
  }

  static async begin(home: Where): Promise<Story> {
    return new Story(home, await connectTo(home))
  }

  /** The first look from now on that shows what is awaited. */
  async now(what: string, isSo: (look: Look) => boolean): Promise<Look> {
    const latest = (): Look | false => {
      const look = this.looks.at(-1)
      return look !== undefined && isSo(look) && look
    }
    return await until(latest, { what, timeoutMs: PATIENCE_MS }).catch((error: Error) => {
      throw new Error(`${error.message}\nlast seen: ${this.lastSeen()}`, { cause: error })
    })
  }

  /** When everybody has answered once more, and all is well. */
  async lookedAtAnew(): Promise<number> {
    const answer = await this.client.request('health.show', { check: true })
    if (!answer.ok || !isWell(answer.value.result)) throw new Error(`all is not well: ${JSON.stringify(answer)}`)
    return performance.now()
  }

  async read(name: string): Promise<string> {
    const answer = await this.client.request('terminal.read', { terminal: name, history: 0, format: 'text' })
    if (!answer.ok) throw new Error(answer.refusal.message)
    return answer.value.result.content
  }

  /** What the daemon has logged since the beginning. */
  logged(): Logged[] {
    const lines = this.readLog().slice(this.logFrom).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Logged)
  }

  [Symbol.dispose](): void {
    this.client.close()
  }

  private tell(event: DaemonEvent): void {
    const { health, terminals } = this.looks.at(-1) ?? { terminals: [] }
    if (health === undefined) return // all of it comes first
    const at = performance.now()
    if (event.kind === 'health') this.looks.push({ at, terminals, health: event.health })
    if (event.kind !== 'terminal') return
    const others = terminals.filter(({ id }) => id !== event.terminal.id)
    this.looks.push({ at, health, terminals: [...others, event.terminal] })
  }

  private lastSeen(): string {
    const last = this.looks.at(-1)
    const ill = last?.health.watched.filter(({ state, why }) => state !== 'alive' || why !== null)
    return JSON.stringify({
      ill,
      terminals: last?.terminals.map(({ name, state, because, trouble }) => ({ name, state, because, trouble })),
    })
  }

  private readLog(): string {
    const file = `${this.home.path}/logs/daemon.log`
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
}

/** A line goes in, and its answer comes out. */
export async function answers(home: Where, name: string, line = 'hello'): Promise<boolean> {
  await run(home.path, ['send', name, line, '--enter'])
  return (await run(home.path, ['wait', name, '--text', `got ${line}`, '--timeout', '20'])).code === 0
}
