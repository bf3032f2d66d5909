import { changeConfigFile } from '../../client/configFile.ts'
import type { Handler } from '../connection.ts'
import { configShown } from './config.show.ts'

export const setConfig: Handler<'config.set'> = async (daemon, { key, value }) => {
  const changed = changeConfigFile(daemon.paths.config, { key, value: value ?? null })
  if (!changed.ok) return changed
  await daemon.rereadConfig()
  return { ok: true, result: configShown(daemon) }
}
