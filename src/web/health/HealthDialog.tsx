/**
 * The health of the daemon and its holders, as a dialog, as the mark in the dock (HealthMark.tsx) and in tiles (TileTrouble.tsx).
 * healthWords.ts says what each state means; it is pure.
 */
import { useState } from 'react'
import type { WatchedView } from '../../wire/healthView.ts'
import { useNow, usePage, useParts } from '../hooks/parts.ts'
import { howLong } from '../state/words.ts'
import { Dialog } from '../ui/Dialog.tsx'
import './health.css'
import { kindWords, loadSentences, standingOf, stateWordsOf, worstFirst } from './healthWords.ts'

/** Everything that is watched, the worst first. */
export function HealthDialog({ onLeave }: { readonly onLeave: () => void }) {
  const { page } = useParts()
  const { health, link } = usePage(({ health, link }) => ({ health, link }))
  const now = useNow()
  const [isChecking, setChecking] = useState(false)
  const { tone, head, sentences } = standingOf(health, link)
  const check = async () => {
    setChecking(true)
    await page.command('health.show', { check: true })
    setChecking(false)
  }
  return (
    <Dialog className="wide health" labelledBy="healthTitle" onLeave={onLeave}>
      <h2 id="healthTitle">Health</h2>
      <p className="healthHead" data-tone={tone} role="status">
        <span className="healthDot" data-tone={tone} aria-hidden="true" />
        {head}
      </p>
      {health === null && sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
      {health !== null && loadSentences(health).map((sentence) => <p key={sentence}>{sentence}</p>)}
      {health !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys, too
        <ul className="watched" aria-label="Health checks" tabIndex={0}>
          {worstFirst(health.watched).map((watched) => (
            <Row key={watched.id} watched={watched} now={now} />
          ))}
        </ul>
      )}
      <div className="choices">
        <button type="button" disabled={isChecking || link !== 'live'} onClick={() => void check()}>
          {isChecking ? 'Checking…' : 'Check now'}
        </button>
        <button type="button" className="primary" data-first onClick={onLeave}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function Row({ watched, now }: { readonly watched: WatchedView; readonly now: number }) {
  const { tone, words } = stateWordsOf(watched)
  const age = howLong(watched.since, now)
  const kind = kindWords(watched)
  return (
    <li className="watchedRow" data-tone={tone}>
      <span className="healthDot" data-tone={tone} aria-hidden="true" />
      <span className="watchedName">
        {watched.name} {kind !== null && <small>{kind}</small>}
      </span>
      <span className="watchedState">
        {words}
        {tone !== 'well' && age !== 'now' && <small> for {age}</small>}
      </span>
      {watched.why !== null && <span className="watchedWhy">{watched.why}</span>}
    </li>
  )
}
