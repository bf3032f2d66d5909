import type { TerminalView } from '../../wire/view.ts'
import type { Wish } from '../page.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { nameOf } from '../words.ts'

type Props = { readonly terminal: TerminalView; readonly onChoose: (wish: Wish) => void; readonly onCancel: () => void }

/** Asked where a resume may leave out something: what the agent ran in, or a flag of its command line. */
export function UnsureDialog({ terminal, onChoose, onCancel }: Props) {
  const { offers } = terminal
  return (
    <Dialog labelledBy="unsureTitle" className="wide" onLeave={onCancel}>
      <h2 id="unsureTitle">Resume “{nameOf(terminal)}” with another command line?</h2>
      <p>
        Holdfast is not certain how to start the agent as it was started
        {offers?.unsure === undefined ? '' : `: ${offers.unsure.why}`}. A restriction may be missing.
      </p>
      <dl className="lines">
        <dt>Ran</dt>
        <dd>
          <code>{offers?.unsure?.ran ?? ''}</code>
        </dd>
        <dt>Would run</dt>
        <dd>
          <code>{offers?.resume ?? ''}</code>
        </dd>
      </dl>
      <div className="choices">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" title={offers?.fresh} onClick={() => onChoose({ mode: 'fresh' })}>
          Restart fresh
        </button>
        <button type="button" className="danger" onClick={() => onChoose({ mode: 'resume', asShown: true })}>
          Resume with this
        </button>
      </div>
    </Dialog>
  )
}
