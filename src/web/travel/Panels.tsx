import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import type { RestorePlanView } from '../../wire/checkpointView.ts'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import { useParts } from '../hooks/parts.ts'
import { capital } from '../state/words.ts'
import { type Asked, useAsked } from '../ui/useAsked.ts'
import { restoreLines } from './restoreWords.ts'

type Props = {
  readonly title: string
  readonly refusal: Refusal | null
  readonly children: ReactNode
  readonly choices: ReactNode
}

/** Asks or tells something about the chosen checkpoint, below its preview. It has the keyboard while it does. */
function Panel({ title, refusal, children, choices }: Props) {
  const own = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another question, and its buttons are others
  useEffect(() => own.current?.focus(), [title])
  return (
    <section ref={own} className="travelPanel" tabIndex={-1} aria-labelledby="panelTitle">
      <h3 id="panelTitle">{title}</h3>
      {children}
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      <div className="choices">{choices}</div>
    </section>
  )
}

type DeletePanelProps = {
  readonly checkpoint: string
  readonly moment: string
  readonly onDeleted: () => void
  readonly onLeave: () => void
}

/** Asks once; for the newest good one, which the daemon does not give away so easily, once more. */
export function DeletePanel({ checkpoint, moment, onDeleted, onLeave }: DeletePanelProps) {
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
      title={isNewestGood ? 'Delete the newest good checkpoint?' : `Delete the checkpoint of ${moment}?`}
      refusal={isNewestGood ? null : refusal}
      choices={
        <>
          <button type="button" onClick={onLeave}>
            Cancel
          </button>
          <button type="button" className="danger" onClick={() => void remove()}>
            {isNewestGood ? 'Delete anyway' : 'Delete'}
          </button>
        </>
      }
    >
      <p>
        {isNewestGood
          ? 'After a crash, Holdfast repairs its database from this checkpoint. Without it, an older one is used.'
          : 'This cannot be undone. Your terminals are not affected.'}
      </p>
    </Panel>
  )
}

type RestorePanelProps = {
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
export function RestorePanel({ checkpoint, only, moment, nameOf, onRestored, onLeave }: RestorePanelProps) {
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
      <p>Running programs keep running, and none is started. A checkpoint is saved first, so you can undo this.</p>
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

type DoneProps = Pick<RestorePanelProps, 'moment' | 'onLeave'> & {
  readonly what: string
  readonly refusal: Refusal | null
  readonly isBusy: boolean
  /** Null: it has been taken back. */
  readonly takeBack: (() => void) | null
}

function Done({ what, moment, refusal, isBusy, takeBack, onLeave }: DoneProps) {
  return (
    <Panel
      title={takeBack === null ? 'Undone' : 'Restored'}
      refusal={refusal}
      choices={
        <>
          {takeBack !== null && (
            <button type="button" disabled={isBusy} onClick={takeBack}>
              Undo
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
          ? 'Everything is back as it was before the restore.'
          : `${capital(what)} is restored to ${moment}. Restored terminals are asleep until you wake them. Undo now, or later with the checkpoint that was saved before.`}
      </p>
    </Panel>
  )
}
