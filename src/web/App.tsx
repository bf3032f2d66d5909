import { Overlays } from './dialogs/Overlays.tsx'
import { Dock } from './dock/Dock.tsx'
import { type Parts, PartsContext, useIsNarrow, usePageState, useParts } from './parts.ts'
import { PhoneView } from './phone/PhoneView.tsx'
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
  return (
    <div className="page" data-drawer={overlay?.kind === 'dock'}>
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

function Stage({ isNarrow }: { readonly isNarrow: boolean }) {
  const { page } = useParts()
  const { terminals } = usePageState()
  const { workspace } = page
  if (terminals?.length === 0 || workspace === null || workspace.layout.root === null)
    return <div className="stage">{terminals !== null && <Empty />}</div>
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
