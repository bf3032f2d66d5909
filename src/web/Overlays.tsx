import { assertNever } from '../base/assertNever.ts'
import { CloseDialog } from './dialogs/CloseDialog.tsx'
import { PlaceDialog } from './dialogs/PlaceDialog.tsx'
import { ConversationDialog, UnsureDialog } from './dialogs/WakeDialogs.tsx'
import { HealthDialog } from './health/HealthDialog.tsx'
import { terminalIn, useIsNarrow, usePage, useParts } from './hooks/parts.ts'
import { Palette } from './palette/Palette.tsx'
import { terminalOf, type Wish } from './state/overlay.ts'
import { TravelDialog } from './travel/TravelDialog.tsx'
import { leaveDialog } from './ui/Dialog.tsx'
import { ViewOnlyDialog } from './viewOnly/ViewOnly.tsx'
import './dialogs/dialogs.css'
import { ForgetDialog } from './dialogs/ForgetDialog.tsx'
import { NewTerminalDialog } from './dialogs/newTerminal/NewTerminalDialog.tsx'
import { QuestionDialog } from './dialogs/QuestionDialog.tsx'
import { ReadingDialog } from './dialogs/ReadingDialog.tsx'
import { SettingsDialog } from './dialogs/settings/SettingsDialog.tsx'
import { StartOverDialog } from './dialogs/startOver/StartOverDialog.tsx'
import { RenameDialog, SleepDialog } from './dialogs/TerminalDialogs.tsx'
import { TrustDialog } from './dialogs/TrustDialog.tsx'

/** What lies over the workspace, if anything does. */
export function Overlays() {
  const { page, tiles } = useParts()
  const { overlay, terminal } = usePage((state) => ({ overlay: state.overlay, terminal: terminalIn(state, terminalOf(state.overlay)) }))
  const isNarrow = useIsNarrow()
  const close = () => {
    leaveDialog()
    page.closeOverlay()
  }
  /** Returns the focus to the element that had it, or else to the terminal. */
  const leave = () => {
    close()
    if (document.activeElement === document.body) tiles.focus()
  }
  if (overlay === null) return null
  switch (overlay.kind) {
    case 'close': {
      if (terminal === null) return null
      const end = (wish: { readonly removeWorktree: boolean }) => {
        close()
        void page.close(terminal.id, wish)
      }
      return <CloseDialog key={terminal.id} terminal={terminal} onCancel={leave} onConfirm={end} />
    }
    case 'forget':
      return terminal === null ? null : <ForgetDialog key={terminal.id} terminal={terminal} onLeave={leave} />
    case 'sleep': {
      if (terminal === null) return null
      const sleep = () => {
        leave()
        void page.sleep(terminal.id, { force: true })
      }
      return <SleepDialog terminal={terminal} why={overlay.why} onCancel={leave} onConfirm={sleep} />
    }
    case 'conversation': {
      if (terminal === null) return null
      const resume = (conversation: string) => {
        close()
        void tiles.wake(terminal.id, { mode: 'resume', conversation })
      }
      return <ConversationDialog terminal={terminal} onCancel={leave} onChoose={resume} />
    }
    case 'trust': {
      if (terminal === null || terminal.imported === null) return null
      const wake = () => {
        close()
        void tiles.wake(terminal.id, { ...overlay.wish, confirmed: true })
      }
      const known = { ...terminal, imported: terminal.imported }
      return <TrustDialog terminal={known} wish={overlay.wish} onCancel={leave} onConfirm={wake} />
    }
    case 'unsure': {
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
