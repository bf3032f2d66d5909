/**
 * Everything that can be done on the page, one row each. The palette lists them, menus and buttons name them, shortcuts run
 * them: whatever the mouse can do, the keyboard can do.
 */
import type { Parts } from './parts.ts'
import { normalShortcut, type Platform, pressedShortcut } from './shortcuts.ts'
import { VIEW_ACTIONS } from './views/viewActions.ts'

export type Action = {
  readonly id: string
  readonly title: string
  /** Where it stands in lists. */
  readonly group: 'Terminal' | 'Layout' | 'Canvas' | 'Workspace' | 'Page'
  /** As in `Mod+Shift+K`; null: none, unless the settings say so. */
  readonly keys: string | null
  /** Whether it can be done now; left out: always. */
  readonly isPossible?: (parts: Parts) => boolean
  readonly run: (parts: Parts) => void
}

const hasFocused = ({ page }: Parts): boolean => page.focused !== null

export const ACTIONS: readonly Action[] = [
  {
    id: 'palette',
    title: 'Find a terminal or a command',
    group: 'Page',
    keys: 'Mod+K',
    run: ({ page }) => page.open({ kind: 'palette', text: '' }),
  },
  {
    id: 'terminal.new',
    title: 'New terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+Enter',
    run: ({ page, tiles }) => void page.create({ size: tiles.focused?.measure() ?? null }).then(() => tiles.focus()),
  },
  {
    id: 'terminal.next',
    title: 'Next terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+ArrowDown',
    run: ({ page, tiles }) => {
      page.focusBeside(1)
      tiles.focus()
    },
  },
  {
    id: 'terminal.previous',
    title: 'Previous terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+ArrowUp',
    run: ({ page, tiles }) => {
      page.focusBeside(-1)
      tiles.focus()
    },
  },
  {
    id: 'terminal.copy',
    title: 'Copy what is selected',
    group: 'Terminal',
    keys: 'Ctrl+Shift+C',
    isPossible: ({ tiles }) => (tiles.focused?.selection ?? '') !== '',
    run: ({ tiles }) => void navigator.clipboard.writeText(tiles.focused?.selection ?? ''),
  },
  {
    id: 'terminal.close',
    title: 'Close the terminal',
    group: 'Terminal',
    keys: null,
    isPossible: hasFocused,
    run: ({ page }) => page.focused !== null && page.open({ kind: 'close', terminal: page.focused.id }),
  },
  ...VIEW_ACTIONS,
]

/** The action of each shortcut: what the settings say goes before what is usual. */
export function shortcutsOf(chosen: Readonly<Record<string, string>>, platform: Platform): ReadonlyMap<string, Action> {
  const shortcuts = new Map<string, Action>()
  for (const action of [...ACTIONS].sort((a, b) => Number(a.id in chosen) - Number(b.id in chosen))) {
    const keys = chosen[action.id] ?? action.keys
    const normal = keys === null ? null : normalShortcut(keys, platform)
    if (normal !== null) shortcuts.set(normal, action)
  }
  return shortcuts
}

/** True when the key was a shortcut, and its action has been run. */
export function runShortcut(event: KeyboardEvent, shortcuts: ReadonlyMap<string, Action>, parts: Parts): boolean {
  const pressed = pressedShortcut(event)
  const action = pressed === null ? undefined : shortcuts.get(pressed)
  if (action === undefined || action.isPossible?.(parts) === false) return false
  event.preventDefault()
  action.run(parts)
  return true
}
