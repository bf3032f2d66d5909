import { useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import { useParts } from '../parts.ts'
import { Panel } from './Panel.tsx'

type Props = { readonly checkpoint: string; readonly moment: string; readonly onDeleted: () => void; readonly onLeave: () => void }

/** Asks once; for the newest good one, which the daemon does not give away so easily, once more. */
export function DeletePanel({ checkpoint, moment, onDeleted, onLeave }: Props) {
  const { page } = useParts()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const isNewestGood = refusal?.code === 'checkpoint-newest-good'
  const remove = async () => {
    const deleted = await page.ask('checkpoint.delete', { checkpoint, force: isNewestGood })
    if (deleted.ok) onDeleted()
    else setRefusal(deleted.refusal)
  }
  return (
    <Panel
      title={isNewestGood ? 'Delete the newest good checkpoint?' : `Delete the checkpoint that was taken ${moment}?`}
      refusal={isNewestGood ? null : refusal}
      choices={
        <>
          <button type="button" onClick={onLeave}>
            Keep it
          </button>
          <button type="button" className="danger" onClick={() => void remove()}>
            {isNewestGood ? 'Delete it all the same' : 'Delete it'}
          </button>
        </>
      }
    >
      <p>
        {isNewestGood
          ? 'After a crash, what the database no longer tells comes from this one. Without it, an older one has to do.'
          : 'It cannot be brought back. What is here now is not touched.'}
      </p>
    </Panel>
  )
}
