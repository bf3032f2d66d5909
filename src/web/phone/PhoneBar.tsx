import type { Ref } from 'react'
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { useTold } from '../health/TileTrouble.tsx'
import { OfTerminal, useMay, useNow, usePage, useParts } from '../hooks/parts.ts'
import { describe, nameOf } from '../state/words.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { ViewOnlyChip } from '../viewOnly/ViewOnly.tsx'
import { newsOf, whereOf } from '../views/tile/headerWords.ts'

type Props = { readonly terminal: string | null; readonly ref?: Ref<HTMLDivElement> }

/** Which terminal is shown, and the ways to the others. Swiping works here too. */
export function PhoneBar({ terminal, ref }: Props) {
  const { page } = useParts()
  const { isDockOpen, waiting } = usePage(({ overlay, terminals }) => ({
    isDockOpen: overlay?.kind === 'dock',
    waiting: (terminals ?? []).filter((other) => agentOf(other)?.state === 'needs-you' && other.id !== terminal).length,
  }))
  const may = useMay()
  return (
    <header className="phoneBar" ref={ref}>
      <button
        type="button"
        className="barButton"
        aria-label={waiting === 0 ? 'Terminals' : `Terminals, ${waiting} need${waiting === 1 ? 's' : ''} you`}
        aria-expanded={isDockOpen}
        aria-haspopup="dialog"
        onClick={() => page.open({ kind: 'dock' })}
      >
        <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />
        </svg>
        {waiting > 0 && (
          <span className="waiting" aria-hidden="true">
            {waiting}
          </span>
        )}
      </button>
      {terminal === null ? (
        <strong className="phoneTitle">Holdfast</strong>
      ) : (
        <OfTerminal id={terminal}>{(known) => <PhoneTitle terminal={known} />}</OfTerminal>
      )}
      <ViewOnlyChip />
      <button
        type="button"
        className="barButton"
        aria-label="Find a terminal or a command"
        onClick={() => page.open({ kind: 'palette', text: '' })}
      >
        <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14" />
        </svg>
      </button>
      {may('terminal.new') && (
        <button
          type="button"
          className="barButton"
          aria-label="New terminal"
          onClick={() => page.open({ kind: 'newTerminal', place: null })}
        >
          <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M8 3v10M3 8h10" />
          </svg>
        </button>
      )}
    </header>
  )
}

function PhoneTitle({ terminal: own }: { readonly terminal: TerminalView }) {
  const { page } = useParts()
  const all = usePage(({ terminals }) => (terminals ?? []).map(({ id }) => id))
  const terminal = useTold(own)
  const news = newsOf(terminal, useNow())
  const { mark, state } = news ?? describe(terminal)
  const place = `${all.indexOf(terminal.id) + 1} of ${all.length}`
  return (
    <div className="phoneTitle">
      <h2>
        <StateMark mark={mark} />
        <span className="name">{nameOf(terminal)}</span>
        <span className="unseen">{state}</span>
      </h2>
      <p>
        <span className="facts">{news?.state ?? whereOf(terminal)}</span>
        {all.length > 1 && <span className="place">{place}</span>}
      </p>
      {all.length > 1 && (
        <>
          <button type="button" className="unseen" onClick={() => page.focusBeside(-1)}>
            Previous terminal
          </button>
          <button type="button" className="unseen" onClick={() => page.focusBeside(1)}>
            Next terminal
          </button>
        </>
      )}
    </div>
  )
}
