import type { WorkspaceView } from '../../wire/topologyView.ts'
import type { LayoutNode } from '../../workspace/splitTree.ts'
import { useParts } from '../parts.ts'
import { TileFrame } from './TileFrame.tsx'

/** The terminals of a workspace side by side. */
export function SplitView({ workspace }: { readonly workspace: WorkspaceView }) {
  const { page } = useParts()
  const { root, zoomed } = workspace.layout
  const alone = page.mirror.terminal(zoomed)
  if (alone !== null) return <TileFrame key={alone.id} terminal={alone} />
  return root === null ? null : <Node node={root} />
}

function Node({ node }: { readonly node: LayoutNode }) {
  const { page } = useParts()
  if (node.kind === 'slot') {
    const terminal = page.mirror.terminal(node.active)
    return terminal === null ? null : <TileFrame key={terminal.id} terminal={terminal} />
  }
  return (
    <div className="split" data-direction={node.direction}>
      {node.children.map((child) => (
        <div key={JSON.stringify(child.node)} style={{ flexGrow: child.size }}>
          <Node node={child.node} />
        </div>
      ))}
    </div>
  )
}
