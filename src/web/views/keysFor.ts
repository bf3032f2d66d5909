import type { PageSettings } from '../../wire/pageSettings.ts'
import { actionOf, keysOf } from '../actions.ts'
import { PLATFORM, shortcutText } from '../shortcuts.ts'

/** The keys of an action as they are set, such as `Mod+K`; null where it has none. */
export function keysFor(action: string, { keys }: Pick<PageSettings, 'keys'>): string | null {
  const found = actionOf(action)
  return found === null ? null : keysOf(found, keys)
}

/** For reading. */
export function keysTextFor(action: string, settings: Pick<PageSettings, 'keys'>): string | null {
  const keys = keysFor(action, settings)
  return keys === null ? null : shortcutText(keys, PLATFORM)
}
