import type { Handler } from '../connection.ts'

export const stopDaemon: Handler<'daemon.stop'> = async (daemon, params) => {
  await daemon.web // the last part to start: there is nothing to stop before it
  const ended = params.all ? await daemon.sleepAll() : 0
  return { ok: true, result: { ended }, after: () => void daemon.stop() }
}
