import { type CSSProperties, useEffect } from 'react'
import type { WorkspaceView } from '../wire/topologyView.ts'
import { Dock } from './dock/Dock.tsx'
import { type Parts, PartsContext, useIsCoarse, useIsNarrow, useMay, usePage, useParts, useWorkspace } from './hooks/parts.ts'
import { Overlays } from './Overlays.tsx'
import { DockSheet } from './phone/DockSheet.tsx'
import { usePinch } from './phone/gestures.ts'
import { PhoneBar } from './phone/PhoneBar.tsx'
import { PhoneView } from './phone/PhoneView.tsx'
import { SoftKeys } from './phone/SoftKeys.tsx'
import type { SoftKeyboard } from './phone/softKeyboard.ts'
import { RestoreCard } from './restoreCard/RestoreCard.tsx'
import { DOCK_COLLAPSED, DOCK_PIXELS } from './state/dockShape.ts'
import { useRemembered } from './state/remembered.ts'
import { ToastList } from './toasts/ToastList.tsx'
import { WorkspaceBar } from './views/bar/WorkspaceBar.tsx'
import { CanvasView } from './views/canvas/CanvasView.tsx'
import { Empty } from './views/Empty.tsx'
import { LinkBanner } from './views/LinkBanner.tsx'
import { SplitView } from './views/split/SplitView.tsx'

type Props = { readonly parts: Parts; readonly keyboard: SoftKeyboard }

export function App({ parts, keyboard }: Props) {
  return (
    <PartsContext value={parts}>
      <Shell keyboard={keyboard} />
    </PartsContext>
  )
}

function Shell({ keyboard }: Pick<Props, 'keyboard'>) {
  const { page } = useParts()
  const { link, hasSheet, hasFocused } = usePage(({ link, overlay, focused }) => ({
    link,
    hasSheet: overlay?.kind === 'dock',
    hasFocused: focused !== null,
  }))
  const may = useMay()
  const isNarrow = useIsNarrow()
  const width = useRemembered(DOCK_PIXELS)
  const isRail = useRemembered(DOCK_COLLAPSED) && !isNarrow
  const isCoarse = useIsCoarse()
  useEffect(() => {
    if (hasSheet && !isNarrow) page.closeOverlay() // the dock stands beside the workspace now
  }, [page, hasSheet, isNarrow])
  return (
    <div
      className="page"
      data-phone={isNarrow}
      data-dock={isRail ? 'rail' : 'open'}
      style={isNarrow ? undefined : sideWidth(isRail ? RAIL_PX : width)}
    >
      {!isNarrow && (
        <nav className="side" aria-label="Terminals">
          <Dock />
        </nav>
      )}
      <main inert={isNarrow && hasSheet}>
        {!isNarrow && <WorkspaceBar />}
        <LinkBanner link={link} />
        <Stage isNarrow={isNarrow} />
        <RestoreCard isNarrow={isNarrow} />
        {isCoarse && hasFocused && may('terminal.send') && <SoftKeys keyboard={keyboard} />}
      </main>
      {isNarrow && hasSheet && <DockSheet />}
      <Notice />
      <ToastList />
      <Overlays />
    </div>
  )
}

const RAIL_PX = 44

const sideWidth = (pixels: number): CSSProperties & { '--side-width': string } => ({ '--side-width': `${pixels}px` })

function Stage({ isNarrow }: { readonly isNarrow: boolean }) {
  const { count, hasFocused } = usePage(({ terminals, focused }) => ({ count: terminals?.length ?? null, hasFocused: focused !== null }))
  const workspace = useWorkspace()
  if (isNarrow && hasFocused && count !== null) return <PhoneView />
  if (count === 0 || workspace === null || workspace.layout.root === null) {
    return (
      <>
        {isNarrow && <PhoneBar terminal={null} />}
        <div className="stage">{count !== null && <Empty />}</div>
      </>
    )
  }
  return <Workspace workspace={workspace} />
}

function Workspace({ workspace }: { readonly workspace: WorkspaceView }) {
  const isCanvas = workspace.view === 'canvas' // where two fingers come closer to everything
  const place = usePinch(!isCanvas)
  return (
    <div className="stage" ref={place}>
      {isCanvas ? <CanvasView workspace={workspace} /> : <SplitView workspace={workspace} />}
    </div>
  )
}

function Notice() {
  const { page } = useParts()
  const notice = usePage(({ notice }) => notice)
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
