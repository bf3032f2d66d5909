/** What a browser that may only look is told: a chip in the bar, and a dialog that explains it. */
import { usePage, useParts } from '../hooks/parts.ts'
import { accessWords } from '../state/words.ts'
import { Icon } from '../ui/Icon.tsx'
import './viewOnly.css'
import { actionOf } from '../actions/actions.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Says that this browser may only look, and explains it when it is pressed. */
export function ViewOnlyChip() {
  const { page } = useParts()
  const access = usePage(({ access }) => access)
  if (access === null) return null
  return (
    <button
      type="button"
      className="viewOnly"
      aria-haspopup="dialog"
      title={accessWords(access)}
      onClick={() => page.open({ kind: 'viewOnly' })}
    >
      <Icon name="eye" />
      View only
    </button>
  )
}

export function ViewOnlyDialog({ onLeave }: { readonly onLeave: () => void }) {
  const parts = useParts()
  const access = usePage(({ access }) => access)
  if (access === null) return null
  return (
    <Dialog className="viewOnlyDialog" labelledBy="viewOnlyTitle" onLeave={onLeave}>
      <h2 id="viewOnlyTitle">View only</h2>
      <p>{accessWords(access)}</p>
      <p>
        To get full access, run <code>holdfast auth link</code> on the machine and open its link here.
      </p>
      <div className="choices">
        <button type="button" onClick={() => actionOf('page.logOut')?.run(parts)}>
          Log out
        </button>
        <button type="button" className="primary" data-first onClick={onLeave}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
