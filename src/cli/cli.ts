/** The `Cli` of a real command line: this process, and one connection to the daemon. */
import { done, type Result } from '../base/refusal.ts'
import type { DaemonClient } from '../client/daemonClient.ts'
import { connectAsProgram, connectDaemon, ensureDaemon } from '../client/daemonProcess.ts'
import { localPaths } from '../client/localPaths.ts'
import { programSocketIn } from '../client/programSocket.ts'
import { VERSION } from '../client/version.ts'
import type { Paths } from '../wire/paths.ts'
import type { Cli, Verb } from './core/verb.ts'

export function createCli(process: NodeJS.Process, isJson: boolean, verbs: () => Promise<readonly Verb[]>): Cli {
  let client: DaemonClient | null = null
  let paths: Paths | null = null
  const whom = () => ({ paths: cli.paths, who: 'cli', version: VERSION, programSocket: cli.programSocket })
  const keepOne = async (reach: () => Promise<Result<DaemonClient>>): Promise<Result<DaemonClient>> => {
    if (client !== null && client.state.kind === 'connected') return done(client)
    const link = await reach()
    client = link.ok ? link.value : null
    return link
  }
  const cli: Cli = {
    isJson,
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
      return programSocketIn(process.env, cli.paths)
    },
    print: (text) => void process.stdout.write(`${text}\n`),
    printJson: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    daemon: () => keepOne(() => ensureDaemon(whom())),
    running: () => keepOne(() => connectDaemon(whom())),
    asProgram: () => keepOne(() => connectAsProgram(whom())),
    ask: async (command, params) => {
      const link = await cli.daemon()
      return link.ok ? await link.value.request(command, params) : link
    },
    verbs,
    close: () => client?.close(),
  }
  return cli
}
