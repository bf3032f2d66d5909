/** How to detach, from [attach] in config.toml. */
import { keysBytes } from '../../wire/keys.ts'
import type { Paths } from '../../wire/paths.ts'
import { loadConfig } from '../loadConfig.ts'
import type { DetachConfig } from './detachKeys.ts'

/** A file that cannot be used means the defaults here; `config check` and `doctor` say what is wrong with it. */
export async function readDetachConfig(paths: Paths): Promise<DetachConfig> {
  const { config } = await loadConfig(paths.config)
  return detachConfigOf(config.attach)
}

export function detachConfigOf(attach: { readonly detach: string; readonly escape: string }): DetachConfig {
  const keys = keysBytes(attach.detach.split(' ').filter((name) => name !== ''))
  return { sequence: keys.ok ? keys.value : [], escape: attach.escape[0] ?? null }
}
