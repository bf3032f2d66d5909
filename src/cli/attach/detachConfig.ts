/** How to detach and to scroll, from [attach] in config.toml. */
import { keyBytes, keysBytes } from '../../wire/keys.ts'
import type { Paths } from '../../wire/paths.ts'
import { loadConfig } from '../loadConfig.ts'
import type { DetachConfig } from './detachKeys.ts'

export type AttachConfig = {
  readonly keys: DetachConfig
  /** How many lines above the screen are painted into the user's own scrollback at the beginning. */
  readonly history: number
}

/** A file that cannot be used means the defaults here; `config check` and `doctor` say what is wrong with it. */
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

/** PageUp in place of the last key does it too: that is what the hand does first. */
function scrollWays(keys: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const pageUp = keyBytes('PageUp')
  if (keys.length === 0) return []
  return keys.length > 1 && pageUp.ok ? [keys, [...keys.slice(0, -1), pageUp.value]] : [keys]
}
