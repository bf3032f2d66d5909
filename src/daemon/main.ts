/** The daemon's process: takes the lock, builds the parts, serves until it is told to stop. Decides nothing itself. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makePlace } from '../base/ids.ts'
import { type Refusal, refusals } from '../base/refusal.ts'
import { localPaths } from '../client/localPaths.ts'
import { readHostId } from '../store/hostId.ts'
import { acquireLock } from '../store/lock.ts'
import { openStore } from '../store/openStore.ts'
import { defaultConfig } from '../wire/config.ts'
import { emptyTopology } from '../workspace/topology.ts'
import { boot, watchForStrays } from './boot.ts'
import { Connection } from './connection.ts'
import { Daemon } from './daemon.ts'
import { readDaemonCard, writeDaemonCard } from './daemonCard.ts'
import { end } from './ending.ts'
import { receiveOn } from './files/receiveOn.ts'
import { prepareHome } from './home.ts'
import { startJanitor } from './janitor.ts'
import { openLog } from './log.ts'
import type { Peer } from './peer.ts'
import { Screens } from './screens.ts'
import { loadSettings, watchConfig } from './settings.ts'
import { listenOnSocket } from './socketServer.ts'
import type { ReceiveFile } from './web/files.ts'
import type { DrawStill } from './web/stills.ts'

const VERSION = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
const ASSETS = fileURLToPath(new URL('../web', import.meta.url))

function refuseToStart(refusal: Refusal): never {
  process.stderr.write(`${JSON.stringify({ refusal })}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  process.title = 'holdfast-daemon'
  const umask = process.umask(0o077)
  const home = prepareHome(localPaths())
  if (!home.ok) refuseToStart(home.refusal)
  const paths = home.value
  const lock = await acquireLock(paths.lock)
  if (!lock.ok) refuseToStart(lock.refusal.code === 'lock-held' ? refusals.daemonRunning(readDaemonCard(paths)?.pid ?? 0) : lock.refusal)
  const log = openLog(paths.daemonLog, defaultConfig.logLevel)
  const screens = new Screens(log)
  const opened = await openStore({ file: paths.database, now: Date.now })
  if (!opened.ok) refuseToStart(opened.refusal)
  const store = opened.value
  const settings = await loadSettings(paths, store)
  log.level = settings.config.logLevel
  log.info({ version: VERSION, home: paths.home, node: process.version }, 'the daemon starts')

  const keptTopology = await store.topology()
  const topology = keptTopology ?? emptyTopology(makePlace(randomBytes))
  const host = readHostId()
  const session = await store.beginSession({ version: VERSION, host })
  const isLayoutKept = keptTopology !== null
  const daemon = new Daemon({
    paths,
    config: settings.config,
    store,
    screens,
    log,
    version: VERSION,
    umask,
    topology,
    isLayoutKept,
    session,
    host,
  })
  const unwatchConfig = watchConfig(daemon, settings)

  const accept = (peer: Peer): Connection => {
    const connection = new Connection(daemon, peer)
    daemon.clients.add(connection)
    return connection
  }
  const server = await listenOnSocket(paths.daemonSocket, accept)
  daemon.programs.begin(accept)
  daemon.booted = boot(daemon).then(() => daemon.programs.followAll(daemon.registry.all()))
  const receive: ReceiveFile = (file, capability) => receiveOn(daemon, file, capability)
  const drawStill: DrawStill = async (asked) => (await import('./still.ts')).drawStillOf(daemon, asked)
  const options = {
    ...{ config: settings.config.web, store, accept, receive, drawStill, assets: ASSETS, redirects: paths.sockets, log },
    expireDays: () => daemon.config.devices.expireDays,
    now: Date.now,
  }
  // Loaded only now: programs are found again before the page is.
  const starting = settings.config.web.enabled
    ? import('./web/startWeb.ts').then(({ startWeb }) => startWeb(options))
    : Promise.resolve(null)
  daemon.web = starting
  await daemon.booted
  daemon.checkpoints.begin()
  const unwatchStrays = watchForStrays(daemon)
  const janitor = startJanitor(daemon)
  daemon.runEnded = janitor.look
  daemon.indexer.start()
  daemon.autoSleeper.start()
  daemon.health.start()
  const web = await starting
  writeDaemonCard(paths, { version: VERSION, startedAt: daemon.startedAt, web: web?.url ?? null })
  const snapshots = setInterval(() => void daemon.keepScreens(), daemon.config.snapshotIntervalS * 1_000)
  log.info({ web: web?.url ?? null, terminals: daemon.registry.all().length }, 'the daemon is ready')

  let stopping = false
  let ended: Promise<unknown>[] = []
  const quiet = (): void => {
    ended = [daemon.agents.stop(), daemon.indexer.stop()]
    clearInterval(snapshots)
    daemon.cancelWakes()
    unwatchConfig()
    unwatchStrays()
    daemon.repositories.stop()
    janitor.stop()
    daemon.autoSleeper.stop()
    daemon.health.stop()
    daemon.closed.stop()
    server.close()
    daemon.programs.stop()
  }
  const rest = async (): Promise<void> => {
    await Promise.all([...ended, web?.close()])
    await daemon.screens.stop()
  }
  daemon.stop = async (signal) => {
    if (stopping) return
    stopping = true
    await end(daemon, { by: signal ?? 'command', session, quiet, rest })
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void daemon.stop('signal'))
  process.on('SIGHUP', () => undefined) // the shell that started us is gone: that is the idea
}

// A bug ends the daemon loudly; it comes back with the next call, and the holders keep the programs.
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
