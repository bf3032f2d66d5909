import type { TerminalView } from '../../wire/view.ts'
import { terminalMenu } from '../dock/terminalMenu.ts'
import { usePageState, useParts } from '../parts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { offered } from '../ui/offered.ts'
import { keysFor } from './keysFor.ts'
import { splitBeside, toggleZoom } from './verbs.ts'

/** What the other buttons of a title bar do, for tiles that are too narrow for them, and all that a terminal's menu has. */
export function TileMenu({ terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const { settings } = usePageState()
  const { id } = terminal
  const isZoomed = parts.page.workspace?.layout.zoomed === id
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
      label="More about this terminal"
      align="end"
      items={offered(items, parts.page.may)}
      trigger={<IconButton icon="more" label="More" className="nodrag" />}
    />
  )
}
