/**
 * Everything that can be done on the page, one row each. The palette lists the rows, menus and buttons name them, shortcuts run them:
 * whatever the mouse can do, the keyboard can do. This folder: action.ts is the type of a row, *Actions.ts hold the rows, tileTools.ts
 * helps those that need a tile. A row calls a verb of page, tiles or layout/; it draws nothing and imports no view.
 */
import type { PageSettings } from '../../wire/pageSettings.ts'
import type { Parts } from '../hooks/parts.ts'
import { normalShortcut, PLATFORM, type Platform, pressedShortcut, shortcutText } from '../state/shortcuts.ts'
import { type Action, type ChosenKeys, isPossible, keysOf } from './action.ts'
import { CHECKPOINT_ACTIONS, RECOVERY_ACTIONS } from './checkpointActions.ts'
import { PAGE_ACTIONS } from './pageActions.ts'
import { TERMINAL_ACTIONS } from './terminalActions.ts'
import { VIEW_ACTIONS } from './viewActions.ts'

export const ACTIONS: readonly Action[] = [
  ...TERMINAL_ACTIONS,
  ...VIEW_ACTIONS,
  ...CHECKPOINT_ACTIONS,
  ...RECOVERY_ACTIONS,
  ...PAGE_ACTIONS,
]

export const actionOf = (id: string): Action | null => ACTIONS.find((action) => action.id === id) ?? null

/** The action of each shortcut: what the settings say goes before what is usual. */
export function shortcutsOf(chosen: ChosenKeys, platform: Platform): ReadonlyMap<string, Action> {
  const shortcuts = new Map<string, Action>()
  for (const action of [...ACTIONS].sort((a, b) => Number(a.id in chosen) - Number(b.id in chosen))) {
    const keys = keysOf(action, chosen)
    const normal = keys === null ? null : normalShortcut(keys, platform)
    if (normal !== null) shortcuts.set(normal, action)
  }
  return shortcuts
}

/** The shortcuts that count now: made anew when others are chosen, not at each key. */
export class Shortcuts {
  now: ReadonlyMap<string, Action>
  private chosen: ChosenKeys = {}
  private readonly platform: Platform

  constructor(platform: Platform) {
    this.platform = platform
    this.now = shortcutsOf({}, platform)
  }

  choose(chosen: ChosenKeys): void {
    if (chosen === this.chosen) return
    this.chosen = chosen
    this.now = shortcutsOf(chosen, this.platform)
  }
}

/** True when the key was a shortcut, and its action has been run. */
export function runShortcut(event: KeyboardEvent, shortcuts: ReadonlyMap<string, Action>, parts: Parts): boolean {
  const pressed = pressedShortcut(event)
  const action = pressed === null ? undefined : shortcuts.get(pressed)
  if (action === undefined || !isPossible(action, parts)) return false
  event.preventDefault()
  action.run(parts)
  return true
}

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
