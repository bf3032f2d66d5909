/** The daemon itself: its status, its health, what a page that watches starts with, and its end. */
import { bytesOfRuns } from '../../client/runSizes.ts'
import { pageSettings } from '../life/settings.ts'
import { sleepAll } from '../sleep/putToSleep.ts'
import { topologyView, viewOf } from '../terminals/view.ts'
import type { Handlers, Parts, Viewing } from './world.ts'

type Status = Pick<
  Parts,
  | 'audience'
  | 'backends'
  | 'bootTroubles'
  | 'checkpoints'
  | 'config'
  | 'configTrouble'
  | 'forgetting'
  | 'health'
  | 'holders'
  | 'indexer'
  | 'paths'
  | 'registry'
  | 'runScreens'
  | 'screens'
  | 'startedAt'
  | 'store'
  | 'version'
  | 'web'
>
type Stopping = Pick<Parts, 'registry' | 'stop' | 'web'> & Parameters<typeof sleepAll>[0]
type Watching = Pick<Parts, 'config' | 'health' | 'layout' | 'lost' | 'repositories' | 'topology'> & Viewing

export const daemonHandlers: Handlers<'daemon.status' | 'health.show', Status> &
  Handlers<'daemon.stop', Stopping> &
  Handlers<'watch', Watching> = {
  'daemon.status': async (daemon) => {
    const web = await daemon.web
    const terminals = daemon.registry.all()
    const asleep = terminals.filter(({ state }) => state === 'asleep').length
    return {
      ok: true,
      result: {
        pid: process.pid,
        startedAt: daemon.startedAt,
        version: daemon.version,
        home: daemon.paths.home,
        web: { url: web?.url ?? null, trouble: web?.trouble ?? null },
        terminals: { live: terminals.length - asleep, asleep },
        clients: daemon.audience.clients.size,
        screens: { ...daemon.screens.counts, deferred: daemon.runScreens.deferred.count },
        snapshots: { ...daemon.screens.snapshots },
        events: { dropped: { ...daemon.screens.dropped } },
        logs: { bytes: bytesOfRuns(daemon.paths), limit: daemon.config.logTotalBytes },
        troubles: troublesOf(daemon),
      },
    }
  },

  'daemon.stop': async (daemon, params) => {
    await daemon.web // the page is the last part to start: before that there is nothing to stop
    const ended = params.all ? await sleepAll(daemon) : 0
    const left = daemon.registry.all().filter(({ state }) => state !== 'asleep')
    const unsettled = params.all ? left.map(({ id, name }) => name ?? id) : []
    return { ok: true, result: { ended, running: left.length, unsettled }, after: () => void daemon.stop() }
  },

  'health.show': async ({ health }, { check = false }) => {
    if (check) await health.monitor.checkAll()
    return { ok: true, result: health.view() }
  },

  watch: async (daemon, _params, client) => {
    await daemon.repositories.knowUsed()
    const topology = topologyView(daemon.topology)
    client.watch(topology)
    const terminals = daemon.layout.inDockOrder().map((terminal) => viewOf(terminal, daemon))
    const { config, lost, health } = daemon
    return { ok: true, result: { terminals, topology, settings: pageSettings(config), recovery: lost.open, health: health.view() } }
  },
}

/** Everything that is wrong with the daemon, one sentence each. */
function troublesOf(daemon: Status): string[] {
  const terminals = daemon.registry.all()
  const degraded = terminals.flatMap((terminal) => {
    const why = terminal.state === 'asleep' ? null : (daemon.holders.status(terminal.run)?.degraded ?? null)
    return why === null ? [] : [`${terminal.id}: its log is only in memory: ${why}`]
  })
  const damaged = terminals.flatMap(({ id, lastRun }) =>
    (lastRun === null ? [] : daemon.runScreens.damageOf(lastRun)).map((fault) => `${id}: its log is damaged: ${fault}`),
  )
  const single = [
    daemon.backends.trouble,
    daemon.configTrouble,
    daemon.runScreens.trouble,
    daemon.checkpoints.trouble,
    daemon.indexer.trouble,
    daemon.forgetting.trouble,
  ].filter((why) => why !== null)
  return [
    ...new Set(daemon.store.troubles),
    ...daemon.bootTroubles,
    ...daemon.registry.troubles(),
    ...degraded,
    ...damaged,
    ...single,
    ...daemon.health.troubles(),
  ]
}
