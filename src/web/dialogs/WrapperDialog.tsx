import type { TerminalView } from '../../wire/view.ts'
import type { Wish } from '../page.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { nameOf } from '../words.ts'

type Props = { readonly terminal: TerminalView; readonly onChoose: (wish: Wish) => void; readonly onCancel: () => void }

/** Asked where a resume would leave out what the agent ran in: a sandbox, a container, an environment. */
export function WrapperDialog({ terminal, onChoose, onCancel }: Props) {
  const { offers } = terminal
  return (
    <Dialog labelledBy="wrapperTitle" className="wide" onLeave={onCancel}>
      <h2 id="wrapperTitle">Resume “{nameOf(terminal)}” without its wrapper?</h2>
      <p>
        The agent ran inside another program, such as a sandbox. Holdfast cannot start that again with certainty
        {offers?.outside === undefined ? '' : `: ${offers.outside.why}`}.
      </p>
      <dl className="lines">
        <dt>Ran</dt>
        <dd>
          <code>{offers?.outside?.ran ?? ''}</code>
        </dd>
        <dt>Would run outside it</dt>
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
        <button type="button" className="danger" onClick={() => onChoose({ mode: 'resume', withoutWrapper: true })}>
          Resume without it
        </button>
      </div>
    </Dialog>
  )
}
