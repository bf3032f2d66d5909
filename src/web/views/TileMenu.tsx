import type { TerminalView } from '../../wire/view.ts'
import { usePageState, useParts } from '../parts.ts'
import { workspacesOf } from '../standing.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { keysFor } from './keysFor.ts'
import { splitBeside, toggleZoom } from './verbs.ts'

/** Everything that can be done with one terminal. */
export function TileMenu({ terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const { page } = parts
  const { settings, topology, workspace } = usePageState()
  const { id, pinned, muted, state } = terminal
  const zoomed = page.workspace?.layout.zoomed === id
  const others = workspacesOf(topology).filter((each) => each.id !== workspace)
  const items: readonly MenuItem[] = [
    { label: 'Rename…', onChoose: () => page.open({ kind: 'rename', terminal: id }) },
    { label: 'Split right', keys: keysFor('split.right', settings), onChoose: () => void splitBeside(parts, id, 'right') },
    { label: 'Split down', keys: keysFor('split.down', settings), onChoose: () => void splitBeside(parts, id, 'bottom') },
    { label: 'New terminal beside…', onChoose: () => page.open({ kind: 'newTerminal', place: { terminal: id, where: 'right' } }) },
    { label: zoomed ? 'Show all' : 'Zoom', keys: keysFor('terminal.zoom', settings), onChoose: () => void toggleZoom(parts, id) },
    {
      label: 'Move to workspace',
      items: [
        ...others.map((other) => ({
          label: other.name,
          onChoose: () => void page.command('terminal.move', { terminal: id, to: other.id }),
        })),
        ...(others.length > 0 ? (['separator'] as const) : []),
        { label: 'New workspace…', onChoose: () => page.open({ kind: 'place', ask: { kind: 'moveTerminal', terminal: id } }) },
      ],
    },
    'separator',
    { label: 'Pinned', isChecked: pinned, onChoose: () => void page.command('terminal.pin', { terminal: id, pinned: !pinned }) },
    { label: 'Notifications', isChecked: !muted, onChoose: () => void page.command('terminal.mute', { terminal: id, muted: !muted }) },
    'separator',
    ...(state === 'live' ? [{ label: 'Sleep', hint: 'ends the program, keeps the place', onChoose: () => void page.sleep(id) }] : []),
    { label: 'Close…', isDanger: true, onChoose: () => page.open({ kind: 'close', terminal: id }) },
  ]
  return (
    <Menu label="More about this terminal" align="end" items={items} trigger={<IconButton icon="more" label="More" className="nodrag" />} />
  )
}
