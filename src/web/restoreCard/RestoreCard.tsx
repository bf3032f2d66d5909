/**
 * The card after a crash: which terminals were interrupted, and how far their wake is. restoreCard.ts decides and words it (pure).
 */
import { useEffect, useState } from 'react'
import type { RecoveryView } from '../../wire/recoveryView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { usePage, useParts } from '../hooks/parts.ts'
import type { Round } from '../state/page.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { GroupBox, RowBox, TellingRow } from './Rows.tsx'
import './restoreCard.css'
import { chosenOf, groupsOf, headOf, progressOf, stepOf, toggled } from './restoreCard.ts'

/** Long enough to read that all went well. */
const CLOSES_AFTER_MS = 5_000

type Place = { readonly isNarrow: boolean }

/** After a crash: which terminals were interrupted, and which to resume. It is not modal and takes no keys. */
export function RestoreCard({ isNarrow }: Place) {
  const shown = usePage(({ recovery, round, terminals }) => ((recovery ?? round) ? { recovery, round, terminals } : null))
  if (shown === null || shown.terminals === null) return null
  const { recovery, round, terminals } = shown
  if (round !== null) return <Waking round={round} terminals={terminals} isNarrow={isNarrow} />
  return recovery === null ? null : <Asking key={recovery.at} recovery={recovery} terminals={terminals} isNarrow={isNarrow} />
}

type Terminals = { readonly terminals: readonly TerminalView[] }

function Asking({ recovery, terminals, isNarrow }: Place & Terminals & { readonly recovery: RecoveryView }) {
  const { page } = useParts()
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(new Set())
  const [isOpen, setOpen] = useState(!isNarrow)
  const lost = terminals.filter(({ id }) => recovery.terminals.includes(id))
  const ids = lost.map(({ id }) => id)
  const chosen = chosenOf(ids, unchecked)
  const toggle = (some: readonly string[]) => setUnchecked(toggled(some, unchecked))
  return (
    <section className="restoreCard" aria-label="Interrupted terminals">
      <Head text={headOf(recovery, lost.length)} isOpen={isOpen} isNarrow={isNarrow} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <div className="restoreRows">
          <GroupBox label="All" ids={ids} unchecked={unchecked} onToggle={toggle} />
          {groupsOf(lost).map(({ key, name, rows }) => (
            <fieldset key={key}>
              <legend>
                <GroupBox label={name} ids={rows.map(({ id }) => id)} unchecked={unchecked} onToggle={toggle} />
              </legend>
              {rows.map((row) => (
                <RowBox key={row.id} row={row} isChosen={!unchecked.has(row.id)} onToggle={() => toggle([row.id])} />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      <div className="restoreWays">
        <button type="button" onClick={() => void page.answerRecovery([])}>
          Later
        </button>
        <button type="button" className="primary" disabled={chosen.length === 0} onClick={() => void page.answerRecovery(chosen)}>
          Resume {chosen.length}
        </button>
      </div>
    </section>
  )
}

function Waking({ round, terminals, isNarrow }: Place & Terminals & { readonly round: Round }) {
  const { page } = useParts()
  const [isOpen, setOpen] = useState(!isNarrow)
  const known = round.ids.map((id) => ({ id, terminal: terminals.find((each) => each.id === id) ?? null }))
  const steps = known.map(({ id, terminal }) => ({ id, terminal, step: stepOf(terminal, round) }))
  const progress = progressOf(steps.map(({ step }) => step))
  const isClosing = progress.isDone && progress.isGood
  useEffect(() => {
    if (!isClosing) return
    const timer = setTimeout(() => page.endRound(), CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [page, isClosing])
  return (
    <section className="restoreCard" aria-label="Interrupted terminals" data-done={progress.isDone}>
      <Head text={progress.text} isOpen={isOpen} isNarrow={isNarrow} onToggle={() => setOpen(!isOpen)} />
      <progress max={progress.of} value={progress.over} aria-labelledby="restoreHead" />
      {isOpen && (
        <ul className="restoreRows">
          {steps.map(({ id, terminal, step }) => (
            <TellingRow key={id} terminal={terminal} step={step} />
          ))}
        </ul>
      )}
      <div className="restoreWays">
        <button type="button" onClick={() => page.endRound()}>
          {progress.isDone ? 'Close' : 'Hide'}
        </button>
      </div>
    </section>
  )
}

type HeadProps = Place & { readonly text: string; readonly isOpen: boolean; readonly onToggle: () => void }

function Head({ text, isOpen, isNarrow, onToggle }: HeadProps) {
  const opens = isNarrow ? 'down' : 'up' // a strip hangs from the top, a card stands at the bottom
  const folds = isNarrow ? 'up' : 'down'
  return (
    <div className="restoreHead">
      <h2 id="restoreHead" role="status">
        {text}
      </h2>
      <IconButton
        icon={isOpen ? folds : opens}
        label={isOpen ? 'Fold this card' : 'Show which'}
        aria-expanded={isOpen}
        onClick={onToggle}
      />
    </div>
  )
}
