import { assertNever } from '../../base/assertNever.ts'
import { usePageState, useParts } from '../parts.ts'
import { CloseDialog } from './CloseDialog.tsx'
import { ConversationDialog } from './ConversationDialog.tsx'
import './dialogs.css'

/** What lies over the workspace, if anything does. */
export function Overlays() {
  const { page, tiles } = useParts()
  const { overlay } = usePageState()
  const leave = () => {
    page.closeOverlay()
    tiles.focus()
  }
  if (overlay === null) return null
  switch (overlay.kind) {
    case 'close': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const close = () => {
        page.closeOverlay()
        void page.close(terminal.id)
      }
      return <CloseDialog terminal={terminal} onCancel={leave} onConfirm={close} />
    }
    case 'conversation': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const resume = (conversation: string) => {
        page.closeOverlay()
        void page.wake(terminal.id, { mode: 'resume', conversation }).then(() => tiles.focus())
      }
      return <ConversationDialog terminal={terminal} onCancel={leave} onChoose={resume} />
    }
    case 'palette':
    case 'newTerminal':
    case 'settings':
    case 'shortcuts':
    case 'restore':
    case 'question':
    case 'reading':
      return null
    case 'rename': // in the title bar of the tile
    case 'dock': // beside the terminal
      return null
    default:
      return assertNever(overlay)
  }
}
