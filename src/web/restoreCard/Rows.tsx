import { useEffect, useRef } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { choiceOf, type Row, rowOf, type Step, stepText } from './restoreCard.ts'

type GroupProps = {
  readonly label: string
  readonly ids: readonly string[]
  readonly unchecked: ReadonlySet<string>
  readonly onToggle: (ids: readonly string[]) => void
}

/** One box for several terminals. */
export function GroupBox({ label, ids, unchecked, onToggle }: GroupProps) {
  const box = useRef<HTMLInputElement>(null)
  const choice = choiceOf(ids, unchecked)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = choice === 'some'
  }, [choice])
  return (
    <label className="restoreGroup">
      <input ref={box} type="checkbox" checked={choice === 'all'} onChange={() => onToggle(ids)} />
      <span>{label}</span>
      <span className="restoreCount">
        {ids.length - ids.filter((id) => unchecked.has(id)).length} of {ids.length}
      </span>
    </label>
  )
}

type RowProps = { readonly row: Row; readonly isChosen: boolean; readonly onToggle: () => void }

export function RowBox({ row: { name, agent, place, goesOnWith, isCertain }, isChosen, onToggle }: RowProps) {
  return (
    <label className="restoreRow">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span className="restoreName">{name}</span>
      <span className="restorePlace">{[agent, place].filter((word) => word !== null).join(' · ')}</span>
      <span className="restoreWith" data-certain={isCertain}>
        {goesOnWith}
      </span>
    </label>
  )
}

/** How far one is that was chosen. */
export function TellingRow({ terminal, step }: { readonly terminal: TerminalView | null; readonly step: Step }) {
  const row = terminal === null ? null : rowOf(terminal)
  return (
    <li className="restoreRow" data-step={step.kind}>
      <span className="restoreDot" aria-hidden="true" />
      <span className="restoreName">{row?.name ?? 'A terminal'}</span>
      <span className="restorePlace">{row?.place ?? ''}</span>
      <span className="restoreWith">{stepText(step)}</span>
    </li>
  )
}
