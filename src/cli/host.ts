/** What a verb may use of the world: where to print, whom to ask, and what the user's surroundings are. */
import { done, type Result } from '../base/refusal.ts'
import type { DaemonClient, Reply } from '../client/daemonClient.ts'
import { connectAsProgram, connectDaemon, ensureDaemon } from '../client/daemonProcess.ts'
import { localPaths } from '../client/localPaths.ts'
import { programSocketIn } from '../client/programSocket.ts'
import type { CommandName, Params } from '../wire/commands.ts'
import type { Paths } from '../wire/paths.ts'
import type { Verb } from './verb.ts'
import { VERSION } from './version.ts'

export type Host = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: NodeJS.ReadStream & { readonly fd: number }
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  readonly stderr: NodeJS.WriteStream
  /** Throws under a test runner that has not set a home of its own. */
  readonly paths: Paths
  /** Where a program of this terminal reaches the daemon; null outside of one. */
  readonly programSocket: string | null
  print(text: string): void
  printJson(value: unknown): void
  complain(text: string): void
  /** The daemon, started if needed; one connection per invocation. */
  daemon(): Promise<Result<DaemonClient>>
  /** The daemon, if it runs. */
  running(): Promise<Result<DaemonClient>>
  /** The daemon, if it runs, with no more power than a program of this terminal has. */
  asProgram(): Promise<Result<DaemonClient>>
  ask<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Result<Reply<Name>>>
  /** All verbs there are: completion tells shells about them. */
  verbs(): Promise<readonly Verb[]>
  close(): void
}

export function createHost(process: NodeJS.Process, verbs: () => Promise<readonly Verb[]>): Host {
  let client: DaemonClient | null = null
  let paths: Paths | null = null
  const whom = () => ({ paths: host.paths, who: 'cli', version: VERSION, programSocket: host.programSocket })
  const keepOne = async (reach: () => Promise<Result<DaemonClient>>): Promise<Result<DaemonClient>> => {
    if (client !== null && client.state.kind === 'connected') return done(client)
    const link = await reach()
    client = link.ok ? link.value : null
    return link
  }
  const host: Host = {
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    get paths() {
      paths ??= localPaths(process.env)
      return paths
    },
    get programSocket() {
      return programSocketIn(process.env, host.paths)
    },
    print: (text) => void process.stdout.write(`${text}\n`),
    printJson: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    daemon: () => keepOne(() => ensureDaemon(whom())),
    running: () => keepOne(() => connectDaemon(whom())),
    asProgram: () => keepOne(() => connectAsProgram(whom())),
    ask: async (command, params) => {
      const link = await host.daemon()
      return link.ok ? await link.value.request(command, params) : link
    },
    verbs,
    close: () => client?.close(),
  }
  return host
}
