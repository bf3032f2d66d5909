/**
 * Time travel: checkpoints on a timeline, a preview of the chosen one, and a restore. timeline.ts, plan.ts, sinceThen.ts and
 * restoreWords.ts are pure; useTravel.ts asks the daemon; Moment.tsx is the chosen checkpoint.
 */
import { useEffect, useMemo, useState } from 'react'
import { QuestionDialog } from '../dialogs/QuestionDialog.tsx'
import { useIsNarrow, useNow } from '../hooks/parts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { type Asking, Moment } from './Moment.tsx'
import { Strip } from './Strip.tsx'
import { TakeForm } from './TakeForm.tsx'
import { Timeline } from './Timeline.tsx'
import type { Clock } from './timeline.ts'
import { useLooked, useTravel } from './useTravel.ts'
import './travel.css'

type Props = {
  /** The one that is looked at first; null: the newest. */
  readonly checkpoint: string | null
  readonly onLeave: () => void
}

/** The workspace as it was at any checkpoint: to be looked at, compared with now, and gone back to. */
export function TravelDialog({ checkpoint, onLeave }: Props) {
  const travel = useTravel(checkpoint)
  const { all, chosen } = travel
  const looked = useLooked(chosen?.id ?? null)
  const clock = useClock()
  const isNarrow = useIsNarrow()
  const [isListing, setListing] = useState(false)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [close, setClose] = useState<string | null>(null)
  const [isExporting, setExporting] = useState(false)
  const hasSome = all !== null && all.length > 0
  useEffect(() => {
    if (hasSome) focusTimeline()
  }, [hasSome])
  const choose = (id: string) => {
    if (id !== chosen?.id) setAsking(null)
    travel.choose(id)
  }
  const ask = (next: Asking | null) => {
    setAsking(next)
    if (next === null) focusTimeline()
  }
  /** One step at a time: what lies on top goes first. */
  const stepBack = () => {
    if (asking !== null) ask(null)
    else if (close !== null) setClose(null)
    else if (isListing) setListing(false)
    else onLeave()
  }
  return (
    <Dialog className="travel" labelledBy="travelTitle" onLeave={stepBack}>
      <header className="travelHead">
        <h2 id="travelTitle">Time travel</h2>
        {hasSome && <Strip {...{ all, chosen, clock }} onChoose={choose} />}
        {isNarrow && (
          <button type="button" aria-pressed={isListing} onClick={() => setListing(!isListing)}>
            List
          </button>
        )}
        <IconButton icon="close" label="Close time travel" onClick={onLeave} />
      </header>
      <div className="travelBody" data-listing={isListing}>
        <div className="travelSide">
          <TakeForm onTaken={(id) => void travel.refresh().then(() => choose(id))} />
          {travel.refusal !== null && (
            <p className="wrong" role="alert">
              {travel.refusal.message} {travel.refusal.hint}
            </p>
          )}
          {hasSome && (
            <Timeline
              {...{ all, clock }}
              chosen={chosen?.id ?? null}
              damaged={looked.damaged}
              onChoose={choose}
              onTake={(how) =>
                how === 'key' ? looked.shown?.id === chosen?.id && ask({ kind: 'restore', only: null }) : setListing(false)
              }
            />
          )}
        </div>
        {chosen === null ? (
          <Nothing isKnown={all !== null} />
        ) : (
          <Moment
            {...{ travel, chosen, looked, clock, asking, close }}
            onAsk={ask}
            onClose={setClose}
            onExport={() => setExporting(true)}
          />
        )}
      </div>
      {isExporting && chosen !== null && (
        <QuestionDialog
          question={{ kind: 'exportTo', checkpoint: chosen.id }}
          onLeave={() => {
            setExporting(false)
            focusTimeline()
          }}
        />
      )}
    </Dialog>
  )
}

function Nothing({ isKnown }: { readonly isKnown: boolean }) {
  return (
    <div className="momentView travelNothing">
      {isKnown ? (
        <>
          <h3>No checkpoints yet</h3>
          <p>Holdfast saves them automatically, after every change and regularly. You can also save one now.</p>
        </>
      ) : (
        <p>Asking the daemon…</p>
      )}
    </div>
  )
}

/** A removed element drops the focus. */
const focusTimeline = (): void => document.querySelector<HTMLElement>('dialog.travel .timeline')?.focus()

function useClock(): Clock {
  const now = useNow()
  return useMemo(() => ({ now }), [now])
}
