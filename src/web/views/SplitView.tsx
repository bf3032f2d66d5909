import type { WorkspaceView } from '../../wire/topologyView.ts'
import type { LayoutNode, Slot, Split } from '../../workspace/splitTree.ts'
import { useMay, useParts } from '../parts.ts'
import { nameOf } from '../words.ts'
import { DropPreview } from './DropPreview.tsx'
import { Panels } from './panels.tsx'
import { equalSizes, keyOf } from './splitSizes.ts'
import { TileFrame } from './TileFrame.tsx'
import { Zoomed } from './Zoomed.tsx'
import './split.css'

/** The terminals of a workspace side by side. */
export function SplitView({ workspace }: { readonly workspace: WorkspaceView }) {
  const { page } = useParts()
  const { root, zoomed } = workspace.layout
  const alone = page.mirror.terminal(zoomed)
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
  const nameFor = (inner: LayoutNode): string => {
    const terminal = page.mirror.terminal(inner.kind === 'slot' ? inner.active : keyOf(inner))
    return terminal === null ? 'a terminal' : nameOf(terminal)
  }
  return (
    <Panels
      direction={node.direction}
      isFixed={!may('layout.sizes')}
      parts={node.children.map((child, index) => ({
        key: keyOf(child.node),
        name: nameFor(child.node),
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
  const { page } = useParts()
  const terminal = page.mirror.terminal(slot.active)
  const tabs = slot.terminals.flatMap((id) => page.mirror.terminal(id) ?? [])
  return terminal === null ? null : <TileFrame terminal={terminal} tabs={tabs} />
}
