/** What can be done with any one terminal, as a menu: of its row in the dock, and of its title bar. */
import { SCHEME_NAMES } from '../../wire/pageSettings.ts'
import type { TerminalView } from '../../wire/view.ts'
import { keysFor } from '../actions/actions.ts'
import type { Parts } from '../hooks/parts.ts'
import { workspaceOf, workspacesOf } from '../state/standing.ts'
import { wakeChoicesOf, wishOf } from '../state/words.ts'
import { schemeLabel } from '../tiles/draw/schemes.ts'
import type { MenuChoice, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { offered } from '../ui/offered.ts'

export function terminalMenu(parts: Parts, terminal: TerminalView): readonly MenuItem[] {
  const { page } = parts
  const { id, pinned, muted } = terminal
  // A shortcut acts on the terminal that has the keyboard.
  const keys = (action: string): string | null => (id === page.state.focused ? keysFor(action, page.state.settings) : null)
  const items: readonly MenuItem[] = [
    { label: 'Rename', asks: 'terminal.rename', keys: keys('terminal.rename'), onChoose: () => rename(parts, id) },
    {
      label: 'Pin to the top',
      asks: 'terminal.pin',
      isChecked: pinned,
      keys: keys('terminal.pin'),
      onChoose: () => void page.command('terminal.pin', { terminal: id, pinned: !pinned }),
    },
    {
      label: 'Mute notifications',
      asks: 'terminal.mute',
      isChecked: muted,
      keys: keys('terminal.mute'),
      onChoose: () => void page.command('terminal.mute', { terminal: id, muted: !muted }),
    },
    themes(parts, terminal),
    workspaces(parts, terminal),
    'separator',
    {
      label: 'New terminal beside…',
      asks: 'terminal.new',
      onChoose: () => page.open({ kind: 'newTerminal', place: { terminal: id, where: 'right' } }),
    },
    {
      label: 'Show as text',
      asks: 'terminal.read',
      onChoose: () => page.open({ kind: 'reading', reading: { kind: 'terminal', terminal: id } }),
    },
    'separator',
    ...waysOf(parts, terminal),
    {
      label: 'Close',
      asks: 'terminal.close',
      isDanger: true,
      keys: keys('terminal.close'),
      onChoose: () => page.open({ kind: 'close', terminal: id }),
    },
    ...(terminal.state === 'asleep'
      ? [
          {
            label: 'Forget…',
            asks: 'forget.apply' as const,
            isDanger: true,
            keys: keys('terminal.forget'),
            onChoose: () => page.open({ kind: 'forget', terminal: id }),
          },
        ]
      : []),
  ]
  return offered(items, page.may)
}

/** Its name is written in its title bar, which must be in view. */
function rename({ page }: Parts, id: string): void {
  page.focus(id)
  page.open({ kind: 'rename', terminal: id })
}

function themes({ page }: Parts, { id, theme }: TerminalView): MenuGroup {
  const choose = (name: string | null): MenuChoice => ({
    label: name === null ? 'Default' : schemeLabel(name),
    asks: 'terminal.theme',
    isChecked: theme === name,
    onChoose: () => void page.command('terminal.theme', { terminal: id, theme: name }),
  })
  return { label: 'Colors', asks: 'terminal.theme', items: [choose(null), 'separator', ...SCHEME_NAMES.map(choose)] }
}

function workspaces({ page }: Parts, { id }: TerminalView): MenuGroup {
  const { topology } = page.state
  const own = workspaceOf(topology, id)
  const others = workspacesOf(topology).filter((each) => each.id !== own?.id)
  const items = others.map((each) => ({
    label: each.name,
    asks: 'terminal.move' as const,
    onChoose: () => void page.command('terminal.move', { terminal: id, to: each.id }),
  }))
  return { label: 'Move to workspace', asks: 'terminal.move', isDisabled: others.length === 0, items }
}

function waysOf({ page, tiles }: Parts, terminal: TerminalView): readonly MenuChoice[] {
  const { id, state } = terminal
  if (state !== 'asleep')
    return [{ label: 'Sleep', asks: 'terminal.sleep', isDisabled: state !== 'live', onChoose: () => void page.sleep(id) }]
  return wakeChoicesOf(terminal).map(({ kind, label }) => ({
    label,
    asks: 'terminal.wake',
    onChoose: () => {
      page.focus(id)
      if (kind === 'conversation') page.open({ kind: 'conversation', terminal: id })
      else void tiles.wake(id, wishOf(kind))
    },
  }))
}
