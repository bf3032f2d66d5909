import { useEffect, useState } from 'react'
import type { CheckpointView } from '../../wire/checkpointView.ts'
import { restoredAfter } from '../../workspace/checkpoint/checkpoint.ts'
import { usePage } from '../hooks/parts.ts'
import { terminalsOfWorkspace, workspacesOf } from '../state/standing.ts'
import { howLong, nameOf } from '../state/words.ts'
import { DeletePanel, RestorePanel } from './Panels.tsx'
import './moment.css'
import type { Refusal } from '../../base/refusal.ts'
import { Preview } from './Preview.tsx'
import { SINCE_WORDS, type Since } from './sinceThen.ts'
import { type Checkpoint, type Clock, countWords, dayWords, faultOf, KIND_WORDS, momentWords, timeWords, titleOf } from './timeline.ts'
import type { Looked, Travel } from './useTravel.ts'
import { WorkspaceTabs } from './WorkspaceTabs.tsx'

/** What is asked about the chosen checkpoint. */
export type Asking = { readonly kind: 'restore'; readonly only: string | null } | { readonly kind: 'delete' }

type Props = {
  readonly travel: Travel
  readonly chosen: Checkpoint
  readonly looked: Looked
  readonly clock: Clock
  readonly asking: Asking | null
  readonly onAsk: (asking: Asking | null) => void
  readonly close: string | null
  readonly onClose: (terminal: string | null) => void
  readonly onExport: () => void
}

/** The chosen checkpoint: what it was like, what is different now, and what can be done with it. */
export function Moment(props: Props) {
  const { travel, chosen, looked, clock, asking, onAsk, close, onClose } = props
  const { shown } = looked
  const [workspace, setWorkspace] = useWorkspace(shown)
  const moment = momentWords(chosen.at, clock)
  const leave = () => onAsk(null)
  const changed = () => void travel.refresh()
  const only = asking?.kind === 'restore' ? (workspacesOf(shown?.topology ?? null).find(({ id }) => id === asking.only) ?? null) : null
  const nameIn = (id: string): string => {
    const terminal = shown?.terminals.find((each) => each.id === id)
    return terminal === undefined ? id : nameOf(terminal)
  }
  return (
    <div className="momentView" data-old={shown?.id !== chosen.id}>
      <Head {...props} />
      {looked.refusal !== null && (
        <p className="wrong" role="alert">
          {looked.refusal.message} {looked.refusal.hint}
        </p>
      )}
      {shown !== null && (
        <>
          <WorkspaceTabs topology={shown.topology} since={looked.since} chosen={workspace?.id ?? null} onChoose={setWorkspace} />
          {workspace !== null && <Preview checkpoint={shown} workspace={workspace} since={looked.since} close={close} onClose={onClose} />}
        </>
      )}
      {asking?.kind === 'restore' && (
        <RestorePanel
          key={`${chosen.id} ${asking.only}`}
          {...{ only, moment }}
          checkpoint={chosen.id}
          nameOf={nameIn}
          onRestored={changed}
          onLeave={leave}
        />
      )}
      {asking?.kind === 'delete' && (
        <DeletePanel
          key={chosen.id}
          moment={moment}
          checkpoint={chosen.id}
          onLeave={leave}
          onDeleted={() => {
            leave()
            changed()
          }}
        />
      )}
      {asking === null && looked.refusal === null && <SinceThen since={looked.since} refusal={looked.sinceRefusal} />}
      {asking === null && <Foot {...props} workspace={workspace} />}
    </div>
  )
}

function Head({ travel, chosen, looked, clock }: Props) {
  const fault = faultOf(chosen, looked.damaged)
  const age = howLong(chosen.at, clock.now)
  const details = [KIND_WORDS[chosen.kind], countWords(chosen.terminalCount), age === 'now' ? 'just now' : `${age} ago`]
  return (
    <div className="momentHead">
      <h3>
        {dayWords(chosen.at, clock)}, {timeWords(chosen.at, clock, true)}
      </h3>
      {chosen.note !== null && <strong>{titleOf(chosen, travel.all ?? [], clock)}</strong>}
      <p>
        {details.join(' · ')}
        {fault !== null && <span className="momentFault"> · {fault}</span>}
      </p>
    </div>
  )
}

type FootProps = Props & { readonly workspace: { readonly id: string; readonly name: string } | null }

function Foot({ travel, chosen, looked, onAsk, onExport, workspace }: FootProps) {
  const isUsable = looked.shown?.id === chosen.id
  const hasSeveral = workspacesOf(looked.shown?.topology ?? null).length > 1
  const isUndo = restoredAfter(chosen.note) !== null
  return (
    <div className="momentFoot">
      <button type="button" className="quiet" onClick={() => onAsk({ kind: 'delete' })}>
        Delete…
      </button>
      <button type="button" className="quiet" disabled={!isUsable} onClick={onExport}>
        Export…
      </button>
      <span className="grow" />
      {hasSeveral && workspace !== null && (
        <button type="button" disabled={!isUsable} onClick={() => onAsk({ kind: 'restore', only: workspace.id })}>
          Restore only “{workspace.name}”…
        </button>
      )}
      <button
        type="button"
        className="primary"
        disabled={!isUsable || travel.all === null}
        onClick={() => onAsk({ kind: 'restore', only: null })}
      >
        {isUndo ? 'Undo that restore…' : 'Restore everything…'}
      </button>
    </div>
  )
}

/** The one that the page shows, where it was there then; else the first one with terminals. */
function useWorkspace(shown: CheckpointView | null) {
  const onPage = usePage(({ workspace }) => workspace)
  const [wanted, setWanted] = useState(onPage)
  const all = workspacesOf(shown?.topology ?? null)
  const found = all.find(({ id }) => id === wanted)
  const workspace = found ?? all.find((each) => terminalsOfWorkspace(each).length > 0) ?? all[0] ?? null
  useEffect(() => {
    if (wanted === null && onPage !== null) setWanted(onPage)
  }, [wanted, onPage])
  return [workspace, setWanted] as const
}

/** What is different now, line by line. */
function SinceThen({ since, refusal }: { readonly since: Since | null; readonly refusal: Refusal | null }) {
  return (
    <section className="since" aria-label="Changes since then">
      <h3>Since then</h3>
      <Lines since={since} refusal={refusal} />
    </section>
  )
}

function Lines({ since, refusal }: { readonly since: Since | null; readonly refusal: Refusal | null }) {
  if (refusal !== null)
    return (
      <p className="wrong" role="alert">
        {refusal.message} {refusal.hint}
      </p>
    )
  if (since === null) return <p>Comparing with now…</p>
  if (since.lines.length + since.notes.length === 0) return <p>No changes.</p>
  return (
    <>
      <ul>
        {since.lines.map(({ id, mark, name, words }) => (
          <li key={`${mark} ${id}`} data-mark={mark}>
            <span className="sinceMark">{SINCE_WORDS[mark]}</span> <strong>{name}</strong> <span>{words}</span>
          </li>
        ))}
      </ul>
      {since.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  )
}
