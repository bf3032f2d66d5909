/**
 * Terminals side by side. panels.tsx is the only file that knows the library for borders; sizes and neighbours are in layout/.
 */
import type { WorkspaceView } from '../../../wire/topologyView.ts'
import type { LayoutNode, Slot, Split } from '../../../workspace/layout/splitTree.ts'
import { terminalIn, useMay, usePage, useParts } from '../../hooks/parts.ts'
import { equalSizes, keyOf } from '../../layout/splitSizes.ts'
import { TileFrame, Zoomed } from '../tile/TileFrame.tsx'
import { DropPreview } from './DropPreview.tsx'
import { Panels } from './panels.tsx'
import './split.css'

/** The terminals of a workspace side by side. */
export function SplitView({ workspace }: { readonly workspace: WorkspaceView }) {
  const { root, zoomed } = workspace.layout
  const alone = usePage((state) => terminalIn(state, zoomed)?.id ?? null)
  if (root === null) return null
  return (
    <div className="splitView">
      {alone === null ? <Node key={workspace.id} node={root} path={[]} workspace={workspace.id} /> : <Zoomed terminal={alone} />}
      <DropPreview />
    </div>
  )
}

type NodeProps<Of extends LayoutNode> = { readonly node: Of; readonly path: readonly number[]; readonly workspace: string }

function Node({ node, ...rest }: NodeProps<LayoutNode>) {
  return node.kind === 'slot' ? <SlotView slot={node} /> : <SplitPanels node={node} {...rest} />
}

function SplitPanels({ node, path, workspace }: NodeProps<Split>) {
  const { page, tiles } = useParts()
  const may = useMay()
  const say = (sizes: readonly number[]) => page.command('layout.sizes', { workspace, path: [...path], sizes: [...sizes] })
  return (
    <Panels
      direction={node.direction}
      isFixed={!may('layout.sizes')}
      parts={node.children.map((child, index) => ({
        key: keyOf(child.node),
        terminal: child.node.kind === 'slot' ? child.node.active : keyOf(child.node),
        size: child.size,
        inside: <Node node={child.node} path={[...path, index]} workspace={workspace} />,
      }))}
      onSizes={say}
      onBalance={() => may('layout.sizes') && void say(equalSizes(node.children.length)).then(() => tiles.focus())}
    />
  )
}

/** Only the tab in front is mounted. */
function SlotView({ slot }: { readonly slot: Slot }) {
  const tabs = usePage((state) => slot.terminals.filter((id) => terminalIn(state, id) !== null))
  return tabs.includes(slot.active) ? <TileFrame terminal={slot.active} tabs={tabs} /> : null
}
