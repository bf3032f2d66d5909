/**
 * The sockets through which the programs in terminals reach the daemon: one for each terminal that has a run, so that a program
 * cannot speak for another terminal, and a sandbox is given this one alone. A daemon that starts listens on them again.
 */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { isId, type TerminalId } from '../../base/ids.ts'
import { type Capability, EVERYTHING } from '../../wire/capability.ts'
import type { Config } from '../../wire/config/config.ts'
import { type Paths, programDirectory, programSocket } from '../../wire/paths.ts'
import { isGuest, type ProgramGrant, type Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import type { AcceptPeer } from './peer.ts'
import { serverOf } from './socketServer.ts'

const DRAFT_SUFFIX = '.new'

export type ProgramsWorld = {
  readonly paths: Paths
  readonly log: Pick<Log, 'warn'>
  readonly terminal: (id: TerminalId) => Terminal | null
  /** What programs may where their terminal does not say. */
  readonly usual: () => ProgramGrant
}

export const grantOf = ({ spec }: Pick<Terminal, 'spec'>, { programs }: Pick<Config, 'programs'>): ProgramGrant => spec.may ?? programs.may

export class ProgramSockets {
  private readonly servers = new Map<TerminalId, Server>()
  /** Null before `begin` and after `stop`: nothing is listened on. */
  private accept: AcceptPeer | null = null

  constructor(private readonly world: ProgramsWorld) {}

  /** Listens where the daemon before did, even before the terminals are known: a hook that reports meanwhile waits for its answer. */
  begin(accept: AcceptPeer): void {
    this.accept = accept
    const { sockets } = this.world.paths
    for (const name of readdirSync(sockets)) {
      if (isId('terminal', name)) this.listen(name)
      else if (name.endsWith(DRAFT_SUFFIX)) rmSync(`${sockets}/${name}`, { force: true }) // a crash left it
    }
  }

  /** A terminal with a run has a socket, any other has none. The program of a guest was not told where its socket would be. */
  follow(id: TerminalId): void {
    const terminal = this.world.terminal(id)
    const isWanted = terminal !== null && terminal.state !== 'asleep' && !isGuest(terminal)
    if (isWanted) this.listen(id)
    else this.remove(id)
  }

  followAll(terminals: readonly Terminal[]): void {
    for (const id of new Set([...this.servers.keys(), ...terminals.map(({ id }) => id)])) this.follow(id)
  }

  /** The directories stay: a sandbox that has one mounted finds the socket of the next daemon in it. */
  stop(): void {
    this.accept = null
    for (const [id, server] of this.servers) {
      server.close()
      rmSync(programSocket(this.world.paths, id), { force: true })
    }
    this.servers.clear()
  }

  /** If it fails, the terminal still works; only its programs cannot report. */
  private listen(id: TerminalId): void {
    if (this.accept === null || this.servers.has(id)) return
    const { paths, log } = this.world
    const failed = (error: Error): void => log.warn({ terminal: id, error: error.message }, 'the programs of a terminal cannot report')
    try {
      mkdirSync(programDirectory(paths, id), { recursive: true, mode: 0o700 })
      // Made outside of the directory: a sandbox that may write there could put a link in the way of the permissions.
      const draft = programDirectory(paths, id) + DRAFT_SUFFIX
      rmSync(draft, { force: true })
      this.servers.set(
        id,
        serverOf(this.accept, () => this.capabilityOf(id))
          .on('error', failed)
          .listen(draft),
      ) // it is there at once
      chmodSync(draft, 0o600)
      renameSync(draft, programSocket(paths, id))
    } catch (error) {
      failed(error as Error)
    }
  }

  private remove(id: TerminalId): void {
    const server = this.servers.get(id)
    if (server === undefined) return
    this.servers.delete(id)
    server.close()
    rmSync(programDirectory(this.world.paths, id), { recursive: true, force: true })
  }

  /** A program that outlives its terminal may still only report. */
  private capabilityOf(id: TerminalId): Capability {
    const terminal = this.world.terminal(id)
    const may = terminal === null ? 'report' : (terminal.spec.may ?? this.world.usual())
    return may === 'all' ? EVERYTHING : { kind: 'program', terminal: id, may }
  }
}
