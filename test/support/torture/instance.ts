/** A daemon that is meant to die: started directly, so that it can be armed, traced and seen to end. */
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { DaemonClient } from '../../../src/client/daemonClient.ts'
import { unixTransport } from '../../../src/client/unixTransport.ts'
import { environment } from '../holdfast.ts'
import { until } from '../milestone.ts'

const DAEMON = fileURLToPath(new URL('../../../dist/daemon/main.js', import.meta.url))
const UP_WITHIN_MS = 30_000

export type End = { readonly code: number | null; readonly signal: string | null }
export type Starting = {
  /** Where it dies, as in HOLDFAST_TRIP. */
  readonly trip?: string
  /** A command that runs it. */
  readonly under?: readonly string[]
}

export class Instance {
  readonly ended: Promise<End>
  /** Null while it lives. */
  end: End | null = null
  /** What it printed besides its log: a bug's last words. */
  errors = ''
  client: DaemonClient | null = null
  private readonly child: ChildProcess

  constructor(
    private readonly home: { readonly path: string },
    { trip, under = [] }: Starting = {},
  ) {
    const [command = '', ...args] = [...under, process.execPath, DAEMON]
    const env = environment(home, { HOLDFAST_TRIP: trip })
    this.child = spawn(command, args, { cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'], env })
    this.child.stderr?.on('data', (part: Buffer) => {
      this.errors += part.toString()
    })
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => {
        this.end = { code, signal }
        resolve(this.end)
      }),
    )
  }

  /** False when it ended before anybody could speak to it. */
  async isUp(): Promise<boolean> {
    return await until(
      async () => {
        if (this.end !== null) return { up: false }
        const client = new DaemonClient({
          connect: unixTransport(`${this.home.path}/sockets/daemon.sock`),
          ...{ who: 'torture', version: '0', reconnect: 'never' as const },
        })
        if (!(await client.ready()).ok) return null
        this.client = client
        return { up: true }
      },
      { what: `the daemon to start; it said ${this.errors}`, timeoutMs: UP_WITHIN_MS },
    ).then(({ up }) => up)
  }

  /** Its end may be seen first on the link to it. */
  get isOver(): boolean {
    return this.end !== null || this.client?.state.kind === 'over'
  }

  /** Of the daemon itself, also when it runs under another command. */
  get pid(): number {
    return this.client?.identity?.pid ?? this.child.pid ?? 0
  }

  async kill(): Promise<void> {
    if (this.end === null) signal(this.pid, 'SIGKILL')
    await this.gone()
  }

  async gone(): Promise<void> {
    await this.ended
    this.client?.close()
    this.client = null
  }

  askToStop(): void {
    if (this.end === null) signal(this.pid, 'SIGTERM')
  }
}

export function signal(pid: number, name: 'SIGKILL' | 'SIGTERM'): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself meanwhile
  }
}
