import type { TerminalView } from '../../wire/view.ts'
import type { Wish } from '../state/overlay.ts'
import { nameOf } from '../state/words.ts'
import { Dialog } from '../ui/Dialog.tsx'
import './trustDialog.css'

type Props = {
  readonly terminal: TerminalView & { readonly imported: NonNullable<TerminalView['imported']> }
  readonly wish: Wish
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asked once, before anything of another machine runs here. */
export function TrustDialog({ terminal, wish, onConfirm, onCancel }: Props) {
  const { imported } = terminal
  const { command, directory, environment } = wish.mode === 'fresh' ? imported.fresh : imported.resume
  const variables = Object.entries(environment)
  return (
    <Dialog labelledBy="trustTitle" className="wide trust" onLeave={onCancel}>
      <h2 id="trustTitle">Run “{nameOf(terminal)}” here?</h2>
      <p>It was imported from {imported.from || 'another machine'}. Wake it only if you know this command.</p>
      <dl>
        <dt>Command</dt>
        <dd>
          <code>{command}</code>
        </dd>
        {wish.conversation !== undefined && (
          <>
            <dt>Conversation</dt>
            <dd>
              <code>{wish.conversation}</code>
            </dd>
          </>
        )}
        <dt>Directory</dt>
        <dd>
          <code>{directory}</code>
        </dd>
        <dt>Environment</dt>
        <dd>
          {variables.length === 0
            ? 'Your environment, nothing added'
            : variables.map(([name, value]) => <code key={name}>{`${name}=${value}`}</code>)}
        </dd>
      </dl>
      <div className="choices">
        <button type="button" data-first onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={onConfirm}>
          Wake
        </button>
      </div>
    </Dialog>
  )
}
