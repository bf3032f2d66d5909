/**
 * Everything that can be done on the page, one row each. The palette lists them, menus and buttons name them, shortcuts run
 * them: whatever the mouse can do, the keyboard can do.
 */

import type { CommandName } from '../wire/commands.ts'
import { CHECKPOINT_ACTIONS } from './actions/checkpointActions.ts'
import { GROUP_ACTIONS } from './actions/groupActions.ts'
import { PAGE_ACTIONS } from './actions/pageActions.ts'
import { RECOVERY_ACTIONS } from './actions/recoveryActions.ts'
import { TERMINAL_ACTIONS } from './actions/terminalActions.ts'
import type { Parts } from './parts.ts'
import { normalShortcut, type Platform, pressedShortcut } from './shortcuts.ts'
import { VIEW_ACTIONS } from './views/viewActions.ts'

export type Action = {
  readonly id: string
  readonly title: string
  /** Where it stands in lists. */
  readonly group: 'Terminal' | 'Layout' | 'Canvas' | 'Workspace' | 'Checkpoints' | 'Page'
  /** As in `Mod+Shift+K`; null: none, unless the settings say so. */
  readonly keys: string | null
  /** Further words by which it is found. */
  readonly also?: string
  /** The command that it asks the daemon for: a browser that may not ask for it is not offered the action. Null: it asks for nothing. */
  readonly asks: CommandName | null
  /** Whether it can be done now; left out: always. */
  readonly isPossible?: (parts: Parts) => boolean
  readonly run: (parts: Parts) => void
}

export const ACTIONS: readonly Action[] = [
  ...TERMINAL_ACTIONS,
  ...VIEW_ACTIONS,
  ...GROUP_ACTIONS,
  ...CHECKPOINT_ACTIONS,
  ...RECOVERY_ACTIONS,
  ...PAGE_ACTIONS,
]

export const actionOf = (id: string): Action | null => ACTIONS.find((action) => action.id === id) ?? null

/** Whether this browser may, and whether it can be done now. */
export const isPossible = ({ asks, isPossible = () => true }: Action, parts: Parts): boolean =>
  (asks === null || parts.page.may(asks)) && isPossible(parts)

type Chosen = Readonly<Record<string, string>>

/** The keys of an action: as chosen, else the usual ones; null when it has none. */
export const keysOf = (action: Action, chosen: Chosen): string | null => (chosen[action.id] ?? action.keys) || null

/** The action of each shortcut: what the settings say goes before what is usual. */
export function shortcutsOf(chosen: Chosen, platform: Platform): ReadonlyMap<string, Action> {
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
  private chosen: Chosen = {}
  private readonly platform: Platform

  constructor(platform: Platform) {
    this.platform = platform
    this.now = shortcutsOf({}, platform)
  }

  choose(chosen: Chosen): void {
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
