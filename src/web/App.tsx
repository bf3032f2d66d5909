import type { CSSProperties } from 'react'
import { Overlays } from './dialogs/Overlays.tsx'
import { Dock } from './dock/Dock.tsx'
import { DOCK_COLLAPSED, DOCK_PIXELS } from './dock/dockShape.ts'
import { type Parts, PartsContext, useIsNarrow, usePageState, useParts } from './parts.ts'
import { PhoneView } from './phone/PhoneView.tsx'
import { useRemembered } from './remembered.ts'
import { CanvasView } from './views/CanvasView.tsx'
import { Empty } from './views/Empty.tsx'
import { LinkBanner } from './views/LinkBanner.tsx'
import { SplitView } from './views/SplitView.tsx'
import { WorkspaceBar } from './views/WorkspaceBar.tsx'

export function App({ parts }: { readonly parts: Parts }) {
  return (
    <PartsContext value={parts}>
      <Shell />
    </PartsContext>
  )
}

function Shell() {
  const { page } = useParts()
  const { link, overlay } = usePageState()
  const isNarrow = useIsNarrow()
  const width = useRemembered(DOCK_PIXELS)
  const isRail = useRemembered(DOCK_COLLAPSED) && !isNarrow
  return (
    <div
      className="page"
      data-drawer={overlay?.kind === 'dock'}
      data-dock={isRail ? 'rail' : 'open'}
      style={isNarrow ? undefined : sideWidth(isRail ? RAIL_PX : width)}
    >
      <nav className="side" aria-label="Terminals">
        <Dock />
      </nav>
      {isNarrow && <button type="button" className="backdrop" aria-label="Hide the list" onClick={() => page.closeOverlay()} />}
      <main>
        <WorkspaceBar />
        <LinkBanner link={link} />
        <Stage isNarrow={isNarrow} />
      </main>
      <Notice />
      <Overlays />
    </div>
  )
}

const RAIL_PX = 44

const sideWidth = (pixels: number): CSSProperties & { '--side-width': string } => ({ '--side-width': `${pixels}px` })

function Stage({ isNarrow }: { readonly isNarrow: boolean }) {
  const { page } = useParts()
  const { terminals } = usePageState()
  const { workspace } = page
  if (terminals?.length === 0 || workspace === null || workspace.layout.root === null) return terminals !== null && <Empty />
  if (isNarrow) return <PhoneView />
  return (
    <div className="stage">{workspace.view === 'canvas' ? <CanvasView workspace={workspace} /> : <SplitView workspace={workspace} />}</div>
  )
}

function Notice() {
  const { page } = useParts()
  const { notice } = usePageState()
  if (notice === null) return null
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{notice.message}</strong> {notice.hint}
      </p>
      <button type="button" onClick={() => page.dismissNotice()}>
        Dismiss
      </button>
    </div>
  )
}
