/**
 * Everything of the daemon that starts and stops, in one order. It starts from top to bottom. At the end all parts become quiet at once,
 * then they stop from bottom to top: first what must not be lost. A machine that is shut down gives two seconds or less, and ends the
 * programs at the same moment.
 */
import { rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { SessionId } from '../base/ids.ts'
import { writeDaemonCard } from './base/daemonCard.ts'
import { Connection } from './clients/connection.ts'
import type { Peer } from './clients/peer.ts'
import { listenOnSocket } from './clients/socketServer.ts'
import type { Daemon } from './compose.ts'
import { receiveOn } from './files/keptFiles.ts'
import { answerWith } from './handlers/index.ts'
import { boot, watchForStrays } from './life/boot.ts'
import { keepTold } from './life/lastLife.ts'
import type { Part } from './life/part.ts'
import type { ReceiveFile } from './web/files.ts'
import type { DrawStill } from './web/stills.ts'

const ASSETS = fileURLToPath(new URL('../web', import.meta.url))
/** Agents that end with the machine say what they have to within this time of the signal. */
const HEARD_WITHIN_MS = 1_200

export function partsOf(daemon: Daemon, session: SessionId): readonly Part[] {
  const { paths, store, log } = daemon
  const answer = answerWith(daemon)
  const accept = (peer: Peer): Connection => {
    const connection = new Connection(daemon, answer, peer)
    daemon.audience.clients.add(connection)
    return connection
  }
  let [toldAt, server, unwatchStrays]: [number, Server | null, () => void] = [0, null, () => undefined]
  let snapshots: NodeJS.Timeout | undefined
  let resting: readonly Promise<unknown>[] = []

  return [
    { name: 'store', stop: () => store.close() },
    {
      name: 'socket and card on disk',
      stop() {
        rmSync(paths.daemonSocket, { force: true })
        rmSync(paths.daemonCard, { force: true })
      },
    },
    { name: 'screens', stop: () => daemon.screens.stop(), patience: { command: 5_000, signal: 200 } },
    {
      name: 'looks and index', // nothing in them must be kept
      quiet() {
        resting = [daemon.agents.stop(), daemon.indexer.stop()]
      },
      stop: () => Promise.all(resting),
      patience: { command: 5_000, signal: 200 },
    },
    { name: 'page', stop: () => closePage(daemon), patience: { command: 5_000, signal: 200 } },
    {
      name: 'session',
      stop: () =>
        store.endSession(session, { clean: true }).catch((error: Error) => log.error({ error: error.message }, 'the end is not kept')),
    },
    { name: 'holders', stop: () => daemon.holders.stop() },
    { name: 'effects', stop: () => daemon.registry.stop(), patience: { command: 10_000, signal: 200 } },
    {
      name: 'last words',
      quiet(by) {
        toldAt = Date.now()
        if (by === 'signal') daemon.endings.leaveToNextDaemon()
      },
      stop: () => Promise.race([daemon.endings.allHeard(), pause(toldAt + HEARD_WITHIN_MS - Date.now())]),
    },
    { name: 'settings', start: () => daemon.settings.watch(), quiet: () => daemon.settings.stop() },
    {
      name: 'socket',
      async start() {
        server = await listenOnSocket(paths.daemonSocket, accept)
      },
      quiet: () => void server?.close(),
    },
    { name: 'sockets of programs', start: () => daemon.programs.begin(accept), quiet: () => daemon.programs.stop() },
    {
      name: 'terminals',
      async start() {
        daemon.isBooted.give(boot(daemon).then(() => daemon.programs.followAll(daemon.registry.all())))
        startPage(daemon, accept) // programs are found again before the page is loaded
        await daemon.booted
      },
      quiet() {
        daemon.wakes.cancel()
        daemon.closed.stop()
      },
    },
    {
      name: 'checkpoints',
      start: () => daemon.checkpoints.begin(),
      stop: () => daemon.checkpoints.end(),
      patience: { command: 10_000, signal: 400 },
    },
    {
      name: 'last screens',
      start() {
        snapshots = setInterval(() => void daemon.runScreens.keepAll(), daemon.config.snapshotIntervalS * 1_000)
      },
      quiet: () => clearInterval(snapshots),
      stop: (by) => Promise.all([by === 'signal' ? keepTold(daemon, toldAt) : null, daemon.runScreens.keepAll()]),
      patience: { command: 10_000, signal: 500 },
    },
    {
      name: 'strays',
      start() {
        unwatchStrays = watchForStrays(daemon)
      },
      quiet: () => unwatchStrays(),
    },
    { name: 'repositories', quiet: () => daemon.repositories.stop() },
    { name: 'janitor', start: () => daemon.janitor.start(), quiet: () => daemon.janitor.stop() },
    { name: 'index', start: () => daemon.indexer.start() },
    { name: 'auto sleep', start: () => daemon.autoSleeper.start(), quiet: () => daemon.autoSleeper.stop() },
    { name: 'health', start: () => daemon.health.start(), quiet: () => daemon.health.stop() },
    {
      name: 'card',
      async start() {
        const url = (await daemon.web)?.url ?? null
        writeDaemonCard(paths, { version: daemon.version, startedAt: daemon.startedAt, web: url })
        log.info({ web: url, terminals: daemon.registry.all().length }, 'the daemon is ready')
      },
    },
  ]
}

/** Nothing waits for it here. */
function startPage(daemon: Daemon, accept: (peer: Peer) => Connection): void {
  const { paths, store, log, config } = daemon
  const receive: ReceiveFile = (file, capability) => receiveOn(daemon, file, capability)
  const drawStill: DrawStill = async (asked) => (await import('./handlers/still.ts')).drawStillOf(daemon, asked)
  const options = {
    ...{ config: config.web, store, accept, receive, drawStill, assets: ASSETS, redirects: paths.sockets, log },
    expireDays: () => daemon.config.devices.expireDays,
    now: Date.now,
  }
  daemon.page.give(config.web.enabled ? import('./web/startWeb.ts').then(({ startWeb }) => startWeb(options)) : null)
}

const closePage = async (daemon: Daemon): Promise<void> => void (await (await daemon.page.promise)?.close())

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
