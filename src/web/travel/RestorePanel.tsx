import { useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import { useParts } from '../parts.ts'
import { useAsked } from '../ui/useAsked.ts'
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

type Phase = { readonly kind: 'asking' | 'takenBack' } | { readonly kind: 'restored'; readonly undo: string }

/** Says what restoring would do before it does it, and takes it back afterwards. */
export function RestorePanel({ checkpoint, only, moment, nameOf, onRestored, onLeave }: Props) {
  const { page } = useParts()
  const scope = only === null ? {} : { only: only.id }
  const plan = useAsked({ key: `${checkpoint} ${only?.id}`, ask: () => page.ask('restore.plan', { checkpoint, ...scope }) })
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' })
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const restore = async (id: string, given: { readonly only?: string }, next: (undo: string) => Phase) => {
    setBusy(true)
    const restored = await page.ask('restore.apply', { checkpoint: id, ...given })
    setBusy(false)
    setRefusal(restored.ok ? null : restored.refusal)
    if (!restored.ok) return
    setPhase(next(restored.value.undo))
    onRestored()
  }
  const what = only === null ? 'everything' : `the workspace “${only.name}”`
  const wrong = refusal ?? (plan.kind === 'refused' ? plan.refusal : null)
  switch (phase.kind) {
    case 'asking':
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
                onClick={() => void restore(checkpoint, scope, (undo) => ({ kind: 'restored', undo }))}
              >
                {isBusy ? 'Restoring…' : 'Restore'}
              </button>
            </>
          }
        >
          {plan.kind === 'answered' ? <Deeds lines={restoreLines(plan.value, nameOf)} /> : wrong === null && <p>Asking the daemon…</p>}
          <p>Programs that run go on; nothing is started. A checkpoint of now is taken first, so that it can be taken back.</p>
        </Panel>
      )
    case 'restored':
      return (
        <Panel
          title="Restored"
          refusal={wrong}
          choices={
            <>
              <button type="button" disabled={isBusy} onClick={() => void restore(phase.undo, {}, () => ({ kind: 'takenBack' }))}>
                Take it back
              </button>
              <button type="button" className="primary" onClick={onLeave}>
                Done
              </button>
            </>
          }
        >
          <p role="status">
            {only === null ? 'Everything' : `The workspace “${only.name}”`} is as it was {moment}. What sleeps is woken when you say so. It
            can be taken back now, or later from the checkpoint that was taken before.
          </p>
        </Panel>
      )
    case 'takenBack':
      return (
        <Panel
          title="Taken back"
          refusal={wrong}
          choices={
            <button type="button" className="primary" onClick={onLeave}>
              Done
            </button>
          }
        >
          <p role="status">Everything is as it was before the restore.</p>
        </Panel>
      )
  }
}

function Deeds({ lines }: { readonly lines: ReturnType<typeof restoreLines> }) {
  if (lines.length === 0) return <p>Only the layout changes.</p>
  return (
    <ul className="deeds">
      {lines.map(({ words, names }) => (
        <li key={`${words} ${names.join()}`}>
          {words} <strong>{names.join(', ')}</strong>
        </li>
      ))}
    </ul>
  )
}
