import type { Handler } from '../connection.ts'

export const stopDaemon: Handler<'daemon.stop'> = async (daemon, params) => {
  const ended = params.all ? await daemon.sleepAll() : 0
  return { ok: true, result: { ended }, after: () => void daemon.stop() }
}
