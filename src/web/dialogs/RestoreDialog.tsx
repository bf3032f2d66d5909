import { useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import { useParts } from '../parts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useAsked } from '../ui/useAsked.ts'

/** Says what restoring a checkpoint would do before it does it, and how that is taken back afterwards. */
export function RestoreDialog({ checkpoint, onLeave }: { readonly checkpoint: string; readonly onLeave: () => void }) {
  const { page } = useParts()
  const plan = useAsked({ key: checkpoint, ask: () => page.ask('restore.plan', { checkpoint }) })
  const [undo, setUndo] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const restore = async (id: string) => {
    const restored = await page.ask('restore.apply', { checkpoint: id })
    if (!restored.ok) return setRefusal(restored.refusal)
    setUndo(restored.value.undo)
  }
  const wrong = refusal ?? (plan.kind === 'refused' ? plan.refusal : null)
  const lines = plan.kind === 'answered' ? plan.value.lines : []
  return (
    <Dialog className="wide" labelledBy="restoreTitle" onLeave={onLeave}>
      <h2 id="restoreTitle">{undo === null ? 'Restore this checkpoint?' : 'Restored'}</h2>
      <p>{undo === null ? 'Programs that run go on; nothing is started. A checkpoint of now is taken first.' : 'It can be taken back.'}</p>
      {wrong !== null && (
        <p className="wrong" role="alert">
          {wrong.message} {wrong.hint}
        </p>
      )}
      {undo === null && wrong === null && (
        <pre className="planText">{plan.kind === 'answered' ? lines.join('\n') : 'Asking the daemon…'}</pre>
      )}
      <div className="choices">
        {undo !== null && (
          <button type="button" onClick={() => void restore(undo).then(onLeave)}>
            Take it back
          </button>
        )}
        <button type="button" className={undo === null ? undefined : 'primary'} onClick={onLeave}>
          {undo === null ? 'Cancel' : 'Close'}
        </button>
        {undo === null && (
          <button type="button" className="primary" disabled={plan.kind !== 'answered'} onClick={() => void restore(checkpoint)}>
            Restore
          </button>
        )}
      </div>
    </Dialog>
  )
}
