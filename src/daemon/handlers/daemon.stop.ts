import type { Handler } from '../connection.ts'

export const stopDaemon: Handler<'daemon.stop'> = async (daemon, params) => {
  await daemon.web // the last part to start: there is nothing to stop before it
  const ended = params.all ? await daemon.sleepAll() : 0
  const left = daemon.registry.all().filter(({ state }) => state !== 'asleep')
  const unsettled = params.all ? left.map(({ id, name }) => name ?? id) : []
  return { ok: true, result: { ended, running: left.length, unsettled }, after: () => void daemon.stop() }
}
