import type { WorkspaceView } from '../../wire/topologyView.ts'
import { SplitView } from './SplitView.tsx'

/** The terminals of a workspace on an endless plane. */
export function CanvasView({ workspace }: { readonly workspace: WorkspaceView }) {
  return <SplitView workspace={workspace} />
}
