import type { TerminalView } from '../../../wire/view.ts'
import { keysFor } from '../../actions/actions.ts'
import { terminalMenu } from '../../dock/terminalMenu.ts'
import { useMay, usePage, useParts, useWorkspace } from '../../hooks/parts.ts'
import { splitBeside, toggleZoom } from '../../layout/verbs.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { offered } from '../../ui/offered.ts'

/** What the other buttons of a title bar do, for tiles that are too narrow for them, and all that a terminal's menu has. */
export function TileMenu({ terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const may = useMay()
  // The shared part of the menu names other workspaces, and keys where its terminal has the keyboard.
  const { settings } = usePage((state) => ({
    settings: state.settings,
    topology: state.topology,
    isFocused: state.focused === terminal.id,
  }))
  const { id } = terminal
  const isZoomed = useWorkspace()?.layout.zoomed === id
  const items: readonly MenuItem[] = [
    {
      label: 'Split right',
      asks: 'terminal.new',
      keys: keysFor('split.right', settings),
      onChoose: () => void splitBeside(parts, id, 'right'),
    },
    {
      label: 'Split down',
      asks: 'terminal.new',
      keys: keysFor('split.down', settings),
      onChoose: () => void splitBeside(parts, id, 'bottom'),
    },
    {
      label: isZoomed ? 'Unzoom' : 'Zoom',
      asks: null,
      keys: keysFor('terminal.zoom', settings),
      onChoose: () => void toggleZoom(parts, id),
    },
    'separator',
    ...terminalMenu(parts, terminal),
  ]
  return (
    <Menu
      label="More actions"
      align="end"
      items={offered(items, may)}
      trigger={<IconButton icon="more" label="More" className="nodrag" />}
    />
  )
}
