/** The keys that detach and scroll, from [attach] in config.toml. */
import { keyBytes, keysBytes } from '../../wire/keys.ts'
import type { Paths } from '../../wire/paths.ts'
import { loadConfig } from '../core/loadConfig.ts'
import type { DetachConfig } from './detachKeys.ts'

export type AttachConfig = {
  readonly keys: DetachConfig
  /** Lines above the screen that are painted into the user's scrollback at the start. */
  readonly history: number
}

/** An invalid file means the defaults; `config check` and `doctor` list its errors. */
export async function readAttachConfig(paths: Paths): Promise<AttachConfig> {
  const { attach } = (await loadConfig(paths.config)).config
  return { keys: detachConfigOf(attach), history: attach.history }
}

type Written = { readonly detach: string; readonly escape: string; readonly scroll?: string }

export function detachConfigOf(attach: Written): DetachConfig {
  return { sequence: keysOf(attach.detach), escape: attach.escape[0] ?? null, scroll: scrollWays(keysOf(attach.scroll ?? '')) }
}

function keysOf(names: string): readonly Uint8Array[] {
  const keys = keysBytes(names.split(' ').filter((name) => name !== ''))
  return keys.ok ? keys.value : []
}

/** PageUp instead of the last key works too: users try it first. */
function scrollWays(keys: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const pageUp = keyBytes('PageUp')
  if (keys.length === 0) return []
  return keys.length > 1 && pageUp.ok ? [keys, [...keys.slice(0, -1), pageUp.value]] : [keys]
}
