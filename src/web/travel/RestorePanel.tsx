import { type ReactNode, useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import type { RestorePlanView } from '../../wire/restoreView.ts'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import { useParts } from '../parts.ts'
import { type Asked, useAsked } from '../ui/useAsked.ts'
import { Panel } from './Panel.tsx'
import { restoreLines } from './restoreWords.ts'

type Props = {
  readonly checkpoint: string
  /** Only this workspace of it; null: everything. */
  readonly only: Pick<WorkspaceView, 'id' | 'name'> | null
  readonly moment: string
  readonly nameOf: (terminal: string) => string
  /** Something has been restored. */
  readonly onRestored: () => void
  readonly onLeave: () => void
}

/** `undo` is the checkpoint that takes it back; null once it has been. */
type Restored = { readonly undo: string | null }

/** Says what restoring would do before it does it, and takes it back afterwards. */
export function RestorePanel({ checkpoint, only, moment, nameOf, onRestored, onLeave }: Props) {
  const { page } = useParts()
  const scope = only === null ? {} : { only: only.id }
  const plan = useAsked({ key: `${checkpoint} ${only?.id}`, ask: () => page.ask('restore.plan', { checkpoint, ...scope }) })
  const [restored, setRestored] = useState<Restored | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const restore = async (id: string, given: { readonly only?: string }) => {
    setBusy(true)
    const answer = await page.ask('restore.apply', { checkpoint: id, ...given })
    setBusy(false)
    setRefusal(answer.ok ? null : answer.refusal)
    if (!answer.ok) return
    setRestored({ undo: restored === null ? answer.value.undo : null })
    onRestored()
  }
  const what = only === null ? 'everything' : `the workspace “${only.name}”`
  if (restored !== null) {
    const { undo } = restored
    const takeBack = undo === null ? null : () => void restore(undo, {})
    return <Done {...{ what, moment, refusal, isBusy, takeBack, onLeave }} />
  }
  const wrong = refusal ?? (plan.kind === 'refused' ? plan.refusal : null)
  return (
    <Panel
      title={`Restore ${what} as it was ${moment}?`}
      refusal={wrong}
      choices={
        <>
          <button type="button" onClick={onLeave}>
            Cancel
          </button>
          <button
            type="button"
            className="primary"
            disabled={plan.kind !== 'answered' || isBusy}
            onClick={() => void restore(checkpoint, scope)}
          >
            {isBusy ? 'Restoring…' : 'Restore'}
          </button>
        </>
      }
    >
      {wrong === null && <Deeds plan={plan} nameOf={nameOf} />}
      <p>Programs that run go on; nothing is started. A checkpoint of now is taken first, so that it can be taken back.</p>
    </Panel>
  )
}

function Deeds({ plan, nameOf }: { readonly plan: Asked<RestorePlanView>; readonly nameOf: (terminal: string) => string }): ReactNode {
  if (plan.kind !== 'answered') return <p>Asking the daemon…</p>
  return (
    <ul className="deeds">
      {restoreLines(plan.value, nameOf).map(({ words, names }) => (
        <li key={`${words} ${names.join()}`}>
          {words} <strong>{names.join(', ')}</strong>
        </li>
      ))}
    </ul>
  )
}

type DoneProps = Pick<Props, 'moment' | 'onLeave'> & {
  readonly what: string
  readonly refusal: Refusal | null
  readonly isBusy: boolean
  /** Null: it has been taken back. */
  readonly takeBack: (() => void) | null
}

function Done({ what, moment, refusal, isBusy, takeBack, onLeave }: DoneProps) {
  return (
    <Panel
      title={takeBack === null ? 'Taken back' : 'Restored'}
      refusal={refusal}
      choices={
        <>
          {takeBack !== null && (
            <button type="button" disabled={isBusy} onClick={takeBack}>
              Take it back
            </button>
          )}
          <button type="button" className="primary" onClick={onLeave}>
            Done
          </button>
        </>
      }
    >
      <p role="status">
        {takeBack === null
          ? 'Everything is as it was before the restore.'
          : `${what.slice(0, 1).toUpperCase()}${what.slice(1)} is as it was ${moment}. What came back sleeps until you wake it. It can be taken back now, or later from the checkpoint that was taken before.`}
      </p>
    </Panel>
  )
}
