import type { TerminalView } from '../../wire/view.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { commandOf, nameOf } from '../words.ts'

type Props = { readonly terminal: TerminalView; readonly onConfirm: () => void; readonly onCancel: () => void }

export function CloseDialog({ terminal, onConfirm, onCancel }: Props) {
  const ends = terminal.state === 'asleep' ? '' : `Its program (${commandOf(terminal)}) ends. `
  return (
    <Dialog labelledBy="closeTitle" onLeave={onCancel}>
      <h2 id="closeTitle">Close “{nameOf(terminal)}”?</h2>
      <p>{ends}Its last screen and its history are forgotten.</p>
      <div className="choices">
        <button type="button" onClick={onCancel}>
          Keep it
        </button>
        <button type="button" className="danger" onClick={onConfirm}>
          Close terminal
        </button>
      </div>
    </Dialog>
  )
}
