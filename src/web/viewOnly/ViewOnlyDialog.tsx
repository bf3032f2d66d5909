import { actionOf } from '../actions.ts'
import { usePageState, useParts } from '../parts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { accessWords } from './accessWords.ts'

export function ViewOnlyDialog({ onLeave }: { readonly onLeave: () => void }) {
  const parts = useParts()
  const { access } = usePageState()
  if (access === null) return null
  return (
    <Dialog className="viewOnlyDialog" labelledBy="viewOnlyTitle" onLeave={onLeave}>
      <h2 id="viewOnlyTitle">View only</h2>
      <p>{accessWords(access)}</p>
      <p>
        To use this browser for more, run <code>holdfast auth link</code> on the machine and open its link here.
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
