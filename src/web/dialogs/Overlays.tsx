import { assertNever } from '../../base/assertNever.ts'
import { HealthDialog } from '../health/HealthDialog.tsx'
import type { Wish } from '../page.ts'
import { Palette } from '../palette/Palette.tsx'
import { useIsNarrow, usePageState, useParts } from '../parts.ts'
import { TravelDialog } from '../travel/TravelDialog.tsx'
import { leaveDialog } from '../ui/Dialog.tsx'
import { ViewOnlyDialog } from '../viewOnly/ViewOnlyDialog.tsx'
import { PlaceDialog } from '../views/PlaceDialog.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import { ConversationDialog } from './ConversationDialog.tsx'
import './dialogs.css'
import { ForgetDialog } from './ForgetDialog.tsx'
import { NewTerminalDialog } from './newTerminal/NewTerminalDialog.tsx'
import { QuestionDialog } from './QuestionDialog.tsx'
import { ReadingDialog } from './ReadingDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { SleepDialog } from './SleepDialog.tsx'
import { SettingsDialog } from './settings/SettingsDialog.tsx'
import { StartOverDialog } from './startOver/StartOverDialog.tsx'
import { TrustDialog } from './TrustDialog.tsx'
import { UnsureDialog } from './UnsureDialog.tsx'

/** What lies over the workspace, if anything does. */
export function Overlays() {
  const { page, tiles } = useParts()
  const { overlay } = usePageState()
  const isNarrow = useIsNarrow()
  const close = () => {
    leaveDialog()
    page.closeOverlay()
  }
  /** Who had the keyboard has it again; nobody had it: the terminal gets it. */
  const leave = () => {
    close()
    if (document.activeElement === document.body) tiles.focus()
  }
  if (overlay === null) return null
  switch (overlay.kind) {
    case 'close': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const end = (wish: { readonly removeWorktree: boolean }) => {
        close()
        void page.close(terminal.id, wish)
      }
      return <CloseDialog key={terminal.id} terminal={terminal} onCancel={leave} onConfirm={end} />
    }
    case 'forget': {
      const terminal = page.mirror.terminal(overlay.terminal)
      return terminal === null ? null : <ForgetDialog key={terminal.id} terminal={terminal} onLeave={leave} />
    }
    case 'sleep': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const sleep = () => {
        leave()
        void page.sleep(terminal.id, { force: true })
      }
      return <SleepDialog terminal={terminal} why={overlay.why} onCancel={leave} onConfirm={sleep} />
    }
    case 'conversation': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const resume = (conversation: string) => {
        close()
        void tiles.wake(terminal.id, { mode: 'resume', conversation })
      }
      return <ConversationDialog terminal={terminal} onCancel={leave} onChoose={resume} />
    }
    case 'trust': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null || terminal.imported === null) return null
      const wake = () => {
        close()
        void tiles.wake(terminal.id, { ...overlay.wish, confirmed: true })
      }
      const known = { ...terminal, imported: terminal.imported }
      return <TrustDialog terminal={known} wish={overlay.wish} onCancel={leave} onConfirm={wake} />
    }
    case 'unsure': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (terminal === null) return null
      const wake = (wish: Wish) => {
        close()
        void tiles.wake(terminal.id, wish)
      }
      return <UnsureDialog terminal={terminal} onCancel={leave} onChoose={wake} />
    }
    case 'place':
      return <PlaceDialog ask={overlay.ask} onLeave={leave} />
    case 'palette':
      return <Palette key={JSON.stringify(overlay.topic ?? null)} text={overlay.text} topic={overlay.topic} onLeave={leave} />
    case 'newTerminal':
      return <NewTerminalDialog place={overlay.place} onLeave={leave} />
    case 'settings':
    case 'shortcuts':
    case 'devices':
      return <SettingsDialog key={overlay.kind} tab={overlay.kind} onLeave={leave} />
    case 'travel':
      return <TravelDialog key={overlay.checkpoint} checkpoint={overlay.checkpoint} onLeave={leave} />
    case 'startOver':
      return <StartOverDialog onLeave={leave} />
    case 'health':
      return <HealthDialog onLeave={leave} />
    case 'viewOnly':
      return <ViewOnlyDialog onLeave={leave} />
    case 'question':
      return <QuestionDialog question={overlay.question} onLeave={leave} />
    case 'reading':
      return <ReadingDialog reading={overlay.reading} onLeave={leave} />
    case 'rename': {
      const terminal = page.mirror.terminal(overlay.terminal)
      if (!isNarrow || terminal === null) return null // in the title bar of the tile
      const rename = (name: string) => {
        leave()
        void page.rename(terminal.id, name)
      }
      return <RenameDialog terminal={terminal} onCancel={leave} onRename={rename} />
    }
    case 'dock': // beside the terminal
      return null
    default:
      return assertNever(overlay)
  }
}
