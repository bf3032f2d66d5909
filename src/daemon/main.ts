/** The daemon's process: takes the lock, builds the parts, serves until it is told to stop. Decides nothing itself. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makePlace } from '../base/ids.ts'
import { type Refusal, refusals } from '../base/refusal.ts'
import { localPaths } from '../client/localPaths.ts'
import { readHostId } from '../store/hostId.ts'
import { acquireLock } from '../store/lock.ts'
import { openStore } from '../store/thread/openStore.ts'
import { defaultConfig } from '../wire/config/config.ts'
import { emptyTopology } from '../workspace/layout/topology.ts'
import { readDaemonCard } from './base/daemonCard.ts'
import { openLog } from './base/log.ts'
import { Daemon } from './compose.ts'
import { prepareHome } from './life/home.ts'
import { loadSettings } from './life/settings.ts'
import { partsOf } from './parts.ts'
import { Screens } from './screens/screens.ts'

const VERSION = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

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
  const daemon = new Daemon({
    ...{ paths, settings, store, screens, log, version: VERSION, umask, topology, session, host },
    isLayoutKept: keptTopology !== null,
  })
  await daemon.life.start(partsOf(daemon, session))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void daemon.life.stop('signal'))
  process.on('SIGHUP', () => undefined) // the shell that started us is gone: that is the idea
  await daemon.life.over
  process.exit(0)
}

// A bug ends the daemon loudly; it comes back with the next call, and the holders keep the programs.
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
