/** The health of everything that the daemon watches, as one value: who is watched, what is told of it, and what is left undone under load. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { HealthView } from '../../wire/healthView.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { runDirectory } from '../../wire/paths.ts'
import type { Load } from '../../workspace/load.ts'
import { currentRun } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { startWatchdog } from '../watchdog.ts'
import { holderId, watchHolder } from './holderWatch.ts'
import { injected } from './injected.ts'
import { LoadWatch } from './loadWatch.ts'
import { measure } from './measures.ts'
import { HealthMonitor } from './monitor.ts'
import { Notes } from './notes.ts'
import { diskWatch, loopWatch, memoryWatch, screensId, screensWatch, searchWatch, storeWatch, webWatch } from './partWatches.ts'
import { showHealth, textOf } from './showHealth.ts'
import { isInTmux, sessionId, TMUX_ID, TmuxWatch } from './tmuxWatch.ts'
import { gone } from './watched.ts'

/** What changes together is told together. */
const TELL_AFTER_MS = 50
/** A stall is spoken of for this long. */
const LATELY_MS = 60_000

export class DaemonHealth {
  /** Whoever has something to watch adds it here. */
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

  constructor(private readonly daemon: Daemon) {
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
        writingTrouble: () => daemon.writingTrouble,
        keepAgain: () => daemon.checkpoints.again(),
        end: (why) => this.endDaemon(why),
      }),
    )
    daemon.store.onEnded(() => monitor.saw('store', gone('its thread has ended: nothing is kept')))
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
    this.monitor.saw(screensId(worker), gone('its thread has ended; another one begins'))
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
        damage: () => daemon.damageOf(run),
      }),
    )
  }

  private loadChanged(load: Load): void {
    const { daemon } = this
    this.notes.said('load', { stage: load.stage, why: load.why })
    daemon.indexer.rest(load.stage >= 1)
    daemon.checkpoints.rest(load.stage >= 1)
    if (load.causes.disk > 0) daemon.runEnded() // the janitor may have something to remove
    daemon.spareMemory(load.stage >= 2)
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

  /** In no orderly way, because that would wait for what does not answer. Whoever supervises the daemon starts it again. */
  private endDaemon(why: string): void {
    this.daemon.log.fatal({ why }, 'the daemon ends itself, to be started again; the programs run on')
    process.kill(process.pid, 'SIGKILL')
  }

  private changedSomething(): void {
    if (!this.isStarted) return
    if (this.daemon.clients.size === 0)
      this.told = '' // whoever comes next asks for everything first
    else this.telling ??= setTimeout(() => this.tell(), TELL_AFTER_MS).unref()
  }

  /** Times alone are no news. */
  private tell(): void {
    this.telling = null
    const health = this.view()
    const text = textOf(health)
    if (text === this.told) return
    this.told = text
    this.daemon.announce({ kind: 'health', health })
  }
}
