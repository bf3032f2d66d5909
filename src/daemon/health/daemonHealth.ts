/**
 * Health: what the daemon watches (holders, tmux, its own threads, the disk), how each does, and what it leaves undone under load. Looks
 * come in from the watches (`*Watch.ts`); `monitor.ts` decides with `workspace/health.ts`; views go out to clients. Start here: it adds
 * the watches and announces changes.
 */
import type { RunId, SessionId, TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { runDirectory } from '../../wire/paths.ts'
import { type Load, shedAt } from '../../workspace/load.ts'
import { currentRun, type Terminal } from '../../workspace/terminal/terminal.ts'
import type { Holders } from '../backends/holders.ts'
import type { Log } from '../base/log.ts'
import { holderId, watchHolder } from './holderWatch.ts'
import { LoadWatch } from './loadWatch.ts'
import { injected, measure } from './measures.ts'
import { HealthMonitor } from './monitor.ts'
import { Notes } from './notes.ts'
import { diskWatch, loopWatch, memoryWatch, screensId, screensWatch, searchWatch, storeWatch, webWatch } from './partWatches.ts'
import { isInTmux, sessionId, TMUX_ID, TmuxWatch } from './tmuxWatch.ts'
import { startWatchdog } from './watchdog.ts'
import { gone } from './watched.ts'

/** What changes together is told together. */
const TELL_AFTER_MS = 50
/** A stall is spoken of for this long. */
const LATELY_MS = 60_000

type Parts = Parameters<typeof webWatch>[0] &
  Parameters<typeof searchWatch>[0] &
  Parameters<typeof screensWatch>[0] & {
    readonly config: Config
    readonly log: Log
    readonly store: Store
    readonly registry: { all(): Terminal[]; get(id: TerminalId): Terminal | null }
    readonly holders: Holders
    readonly runScreens: { readonly trouble: string | null; damageOf(run: RunId): readonly string[]; spareMemory(isSparing: boolean): void }
    readonly checkpoints: { readonly session: SessionId; readonly trouble: string | null; again(): void; rest(isResting: boolean): void }
    readonly indexer: { rest(isResting: boolean): void }
    readonly audience: { readonly clients: { readonly size: number }; announce(event: DaemonEvent): void }
    readonly janitor: { look(): void }
  }

export class DaemonHealth {
  /** Parts add what they want watched. */
  readonly monitor: HealthMonitor
  readonly load: LoadWatch
  private readonly notes: Notes
  private readonly tmux: TmuxWatch
  /** By terminal: the holder and the session of its program, as far as it has them. */
  private readonly watchedOf = new Map<TerminalId, readonly string[]>()
  private isTmuxWatched = false
  private isStarted = false
  private stall = { ms: 0, at: Number.NEGATIVE_INFINITY }
  private endWatchdog: () => void = () => undefined
  private telling: NodeJS.Timeout | null = null
  private told = ''

  constructor(private readonly daemon: Parts) {
    const now = (): number => Date.now() + injected().clockOffsetMs
    this.notes = new Notes({ log: daemon.log, store: daemon.store, session: daemon.checkpoints.session, now })
    this.tmux = new TmuxWatch({ paths: daemon.paths, holders: daemon.holders, cards: () => this.cardsInTmux() })
    this.load = new LoadWatch({
      measure: () => measure(daemon.paths.home, this.stalledLately()),
      changed: (load) => this.loadChanged(load),
    })
    this.monitor = new HealthMonitor({
      clock: { now, monotonic: () => performance.now() },
      settings: () => daemon.config.health,
      noted: (watched, note) => this.notes.changed(watched, note),
      clockJumped: (byMs) => this.notes.said('the clock jumped', { byMs: Math.round(byMs) }),
      changed: () => this.changedSomething(),
    })
  }

  start(): void {
    const { daemon, monitor, load } = this
    this.isStarted = true
    monitor.start()
    monitor.add(
      storeWatch(daemon, {
        writingTrouble: () => daemon.runScreens.trouble ?? daemon.checkpoints.trouble,
        keepAgain: () => daemon.checkpoints.again(),
        end: (why) => this.endDaemon(why),
      }),
    )
    daemon.store.onEnded(() => monitor.saw('store', gone('its thread ended; nothing is saved')))
    monitor.add(searchWatch(daemon))
    for (let worker = 0; worker < daemon.screens.count; worker++) monitor.add(screensWatch(daemon, worker))
    if (daemon.config.web.enabled) monitor.add(webWatch(daemon))
    for (const watched of [loopWatch(load), memoryWatch(load), diskWatch(load, daemon.paths.home)]) monitor.add(watched)
    for (const { id } of daemon.registry.all()) this.terminalChanged(id)
    this.endWatchdog = startWatchdog({ logFile: daemon.paths.daemonLog, stalled: (ms) => this.stalled(ms) })
  }

  stop(): void {
    this.isStarted = false
    this.endWatchdog()
    this.monitor.stop()
    this.load.stop()
    if (this.telling !== null) clearTimeout(this.telling)
  }

  /** A terminal is announced: its holder is watched for as long as there is one. */
  terminalChanged(id: TerminalId): void {
    if (!this.isStarted) return
    const terminal = this.daemon.registry.get(id)
    const run = terminal === null ? null : currentRun(terminal)
    const card = run === null ? null : this.daemon.holders.card(run)
    const isHeld = run !== null && card !== null && !this.daemon.holders.isUnattached(run)
    const wanted = [...(isHeld ? [holderId(run)] : []), ...(run !== null && isInTmux(card) ? [sessionId(run)] : [])]
    const watched = this.watchedOf.get(id) ?? []
    if (wanted.join() === watched.join()) return
    for (const old of watched) if (!wanted.includes(old)) this.monitor.remove(old)
    if (wanted.length === 0) this.watchedOf.delete(id)
    else this.watchedOf.set(id, wanted)
    if (run !== null && wanted.includes(holderId(run)) && !watched.includes(holderId(run))) this.watchHolderOf(id, run)
    if (run !== null && wanted.includes(sessionId(run)) && !watched.includes(sessionId(run))) this.watchSessionOf(id, run)
    this.watchTmux()
  }

  private watchSessionOf(id: TerminalId, run: RunId): void {
    const name = (): string => this.daemon.registry.get(id)?.name ?? id
    this.monitor.add(this.tmux.session(run, { terminal: id, name }))
  }

  /** As long as there is a program in it: without one it ends by itself. */
  private watchTmux(): void {
    const isWanted = this.cardsInTmux().length > 0
    if (isWanted === this.isTmuxWatched) return
    this.isTmuxWatched = isWanted
    if (isWanted) this.monitor.add(this.tmux.server())
    else this.monitor.remove(TMUX_ID)
  }

  private cardsInTmux(): HolderCard[] {
    const { registry, holders } = this.daemon
    return registry.all().flatMap((terminal) => {
      const run = currentRun(terminal)
      const card = run === null ? null : holders.card(run)
      return card !== null && isInTmux(card) ? [card] : []
    })
  }

  /** A holder whose program was in tmux has left because there is nothing to hold any more. */
  holderLost(run: RunId): void {
    const isInTmux = [...this.watchedOf.values()].some((ids) => ids.includes(sessionId(run)))
    if (isInTmux) this.monitor.saw(sessionId(run), gone('its session is gone, and its program with it'))
    else this.monitor.saw(holderId(run), gone('its holder is gone, and its program with it'))
  }

  screensBroke(worker: number): void {
    this.monitor.saw(screensId(worker), gone('its thread ended and is being replaced'))
  }

  /** In sentences. */
  troubles(): string[] {
    return troublesIn(this.view())
  }

  view(): HealthView {
    return showHealth(this.monitor.views(), this.load.load, Date.now())
  }

  private watchHolderOf(id: TerminalId, run: RunId): void {
    const { daemon } = this
    const { registry, holders, paths } = daemon
    this.monitor.add(
      watchHolder({
        ...{ holders, run, terminal: id },
        logDirectory: registry.get(id)?.private === true ? null : runDirectory(paths, run),
        name: () => registry.get(id)?.name ?? id,
        link: () => {
          const terminal = registry.get(id)
          return terminal === null || !('link' in terminal) ? null : terminal.link
        },
        damage: () => daemon.runScreens.damageOf(run),
      }),
    )
  }

  private loadChanged(load: Load): void {
    const { daemon } = this
    this.notes.said('load', { stage: load.stage, why: load.why })
    daemon.indexer.rest(load.stage >= 1)
    daemon.checkpoints.rest(load.stage >= 1)
    if (load.causes.disk > 0) daemon.janitor.look() // the janitor may have something to remove
    daemon.runScreens.spareMemory(load.stage >= 2)
    this.changedSomething()
  }

  private stalled(ms: number): void {
    this.stall = { ms, at: performance.now() }
    this.notes.said('the daemon stood still', { ms })
    void this.load.look()
  }

  private stalledLately(): number {
    return performance.now() - this.stall.at < LATELY_MS ? this.stall.ms : 0
  }

  /** Killed, because an orderly end would wait for what does not answer. Its supervisor or the next command starts it again. */
  private endDaemon(why: string): void {
    this.daemon.log.fatal({ why }, 'the daemon restarts itself; programs keep running')
    process.kill(process.pid, 'SIGKILL')
  }

  private changedSomething(): void {
    if (!this.isStarted) return
    if (this.daemon.audience.clients.size === 0)
      this.told = '' // the next client asks for everything first
    else this.telling ??= setTimeout(() => this.tell(), TELL_AFTER_MS).unref()
  }

  /** Times alone are no news. */
  private tell(): void {
    this.telling = null
    const health = this.view()
    const text = textOf(health)
    if (text === this.told) return
    this.told = text
    this.daemon.audience.announce({ kind: 'health', health })
  }
}

const RANK = { failed: 0, dead: 1, recovering: 2, verifying: 3, unknown: 4, alive: 5 } as const

/** The worst first; among equals in the order in which they were added. */
function showHealth(watched: readonly WatchedView[], load: Load, now: number): HealthView {
  const { stage, why } = load
  return {
    at: now,
    overall: overallOf(watched, load),
    load: { stage, why, shed: shedAt(stage) },
    watched: watched.toSorted((a, b) => rankOf(a) - rankOf(b)),
  }
}

const rankOf = ({ state, why }: WatchedView): number => RANK[state] - (why === null ? 0 : 0.5)

function overallOf(watched: readonly WatchedView[], { stage }: Load): HealthView['overall'] {
  const isDown = watched.some(({ state }) => state === 'dead' || state === 'failed' || state === 'recovering')
  if (isDown || stage === 3) return 'ill'
  return stage > 0 || watched.some(({ why }) => why !== null) ? 'degraded' : 'well'
}

/** Sentences about what does not work. Parts with lesser faults report these themselves. */
function troublesIn({ watched, load }: HealthView): string[] {
  const down = watched.filter(({ state }) => state === 'dead' || state === 'failed' || state === 'recovering')
  const sentences = down.map(({ kind, name, terminal, state, why }) => `${terminal ?? name} (${kind}) is ${state}: ${why}`)
  return load.why === null ? sentences : [...sentences, `load, stage ${load.stage}: ${load.why}; ${load.shed.join('; ')}`]
}

/** Two views with the same text differ in times alone. */
const textOf = ({ overall, load, watched }: HealthView): string =>
  JSON.stringify([overall, load, watched.map(({ answeredInMs: _, nextCheckAt: __, ...lasting }) => lasting)])
