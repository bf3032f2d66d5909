/**
 * Our tmux and its sessions, as they are watched. The server is asked once for all of them. A session that is gone has taken its program
 * along; a server that does not answer has taken nothing yet.
 */
import { existsSync } from 'node:fs'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { type Processes, type ProcessInfo, systemProcesses } from '../../holder/processes.ts'
import { listSessions, type Sessions } from '../../tmux/server.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Paths } from '../../wire/paths.ts'
import type { Holders } from '../backends/holders.ts'
import { answered, gone, type Sight, silent, type Watched } from './watched.ts'

/** Those who ask within this time ask about the same moment. */
const SAME_MOMENT_MS = 500
/** A server that was stopped may have much to catch up with. */
const WAKES_WITHIN_MS = 5_000

export type TmuxWorld = {
  readonly paths: Paths
  readonly holders: Pick<Holders, 'card' | 'ensure' | 'isUnattached' | 'lookAgain' | 'status'>
  /** The cards of programs that are in it now. */
  cards(): readonly HolderCard[]
  readonly processes?: Pick<Processes, 'find'>
  readonly list?: typeof listSessions
}

export const TMUX_ID = 'tmux'
export const sessionId = (run: RunId): string => `session:${run}`

export const isInTmux = (card: HolderCard | null): boolean => card?.tmux !== undefined && card.tmux.kind !== 'guest'

export class TmuxWatch {
  private asked: { readonly at: number; readonly sessions: Promise<Sessions> } | null = null

  constructor(private readonly world: TmuxWorld) {}

  server(): Watched {
    return {
      ...{ id: TMUX_ID, kind: 'tmux', terminal: null },
      name: () => 'tmux',
      check: ({ withinMs }) => this.lookAtServer(withinMs),
      recover: () => this.recover(),
    }
  }

  session(run: RunId, { terminal, name }: { readonly terminal: TerminalId; readonly name: () => string }): Watched {
    return {
      ...{ id: sessionId(run), kind: 'session', terminal, name },
      check: ({ withinMs }) => this.lookAtSession(run, withinMs),
      recover: () => this.recover(),
    }
  }

  private async lookAtServer(withinMs: number): Promise<Sight> {
    const sessions = await this.sessions(withinMs)
    if (sessions.kind === 'known' && sessions.sessions.length > 0) return answered()
    if (sessions.kind === 'known') return (await this.firstOutOfReach()) ?? gone('it is gone, and its programs with it')
    return silent(`${sessions.why}; ${(await this.isStopped()) ? 'it is stopped; ' : ''}its programs keep running`)
  }

  /** Without a holder, the end of a session would not be noticed otherwise. */
  private async lookAtSession(run: RunId, withinMs: number): Promise<Sight> {
    const { holders } = this.world
    const sessions = await this.sessions(withinMs)
    if (sessions.kind === 'unknown') return silent(`${sessions.why}; its program keeps running`)
    const found = sessions.sessions.find((session) => session.run === run)
    if (found === undefined) {
      const outOfReach = await this.outOfReach(holders.card(run))
      if (outOfReach !== null) return outOfReach
      await holders.lookAgain(run)
      return gone('its session is gone, and its program with it')
    }
    if (found.isDead && holders.isUnattached(run)) await holders.ensure(run) // how it has ended, a holder finds out
    const outOfReach = holders.status(run)?.outOfReach
    return answered(outOfReach ?? null)
  }

  private async firstOutOfReach(): Promise<Sight | null> {
    for (const card of this.world.cards()) {
      const outOfReach = await this.outOfReach(card)
      if (outOfReach !== null) return outOfReach
    }
    return null
  }

  /** A socket may be cleaned away, and be another server's after that: that a program is not found through it says nothing about it. */
  private async outOfReach(card: HolderCard | null): Promise<Sight | null> {
    if (card === null || (await this.serverOf(card)) === null) return null
    if (!existsSync(this.world.paths.tmuxSocket)) return silent('its socket is gone; its programs keep running')
    return answered('another tmux answers at its socket; programs in the first one keep running')
  }

  private sessions(withinMs: number): Promise<Sessions> {
    const now = performance.now()
    if (this.asked === null || now - this.asked.at > SAME_MOMENT_MS)
      this.asked = { at: now, sessions: (this.world.list ?? listSessions)(this.world.paths.tmuxSocket, withinMs) }
    return this.asked.sessions
  }

  private async isStopped(): Promise<boolean> {
    return (await this.process())?.isStopped === true
  }

  /** A stopped server is continued; one without its socket makes another. Nothing else is done to it. */
  private async recover(): Promise<void> {
    const server = await this.process()
    if (server === null) throw new Error('its process cannot be found')
    this.asked = null
    if (server.isStopped) process.kill(server.pid, 'SIGCONT')
    else if (!existsSync(this.world.paths.tmuxSocket)) process.kill(server.pid, 'SIGUSR1')
    else if (!(await this.answersNow())) throw new Error('it is running, but does not answer')
  }

  /** Of several that wait for it, the first may just have continued it. */
  private async answersNow(): Promise<boolean> {
    return (await this.sessions(WAKES_WITHIN_MS)).kind === 'known'
  }

  private async process(): Promise<ProcessInfo | null> {
    for (const card of this.world.cards()) {
      const server = await this.serverOf(card)
      if (server !== null) return server
    }
    return null
  }

  /** The parent of a program in it: a pid alone would name nothing. */
  private async serverOf({ pid, pidStart }: HolderCard): Promise<ProcessInfo | null> {
    const { processes = systemProcesses() } = this.world
    const program = await processes.find(pid)
    const isSame = program !== null && (pidStart === '' || program.start === pidStart)
    const server = isSame ? await processes.find(program.parent) : null
    return server !== null && /^tmux/.test(server.name) ? server : null
  }
}
