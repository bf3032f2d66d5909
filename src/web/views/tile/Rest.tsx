import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { offersOf, type TerminalView } from '../../../wire/view.ts'
import { useMay, useParts } from '../../hooks/parts.ts'
import { restWordsOf, type WakeChoice, wakeChoicesOf, wakeWordsOf, wishOf } from '../../state/words.ts'
import { isAtRest } from '../../tiles/draw/frost.ts'
import './rest.css'

/** A program runs already, and has shown nothing yet. */
const NOTHING_PAINTED = 'Starting…'
/** An Enter pressed right after the program ended was meant for the program. */
const ENTER_AFTER_MS = 700

type Props = {
  readonly terminal: TerminalView
  readonly now: number
  /** Whether its history is drawn instead of its picture. */
  readonly isReading: boolean
  /** Whether it was awake when this place showed it last. */
  readonly hasJustEnded: boolean
}

/** Below the last screen of a terminal that sleeps: why, since when, what it was, and how it can be woken. */
export function Rest({ terminal, now, isReading, hasJustEnded }: Props) {
  const { page, tiles } = useParts()
  const may = useMay()
  const { id } = terminal
  const card = useRef<HTMLElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const mountedAt = useRef(performance.now())
  const hasNoProgram = isAtRest(terminal)
  useLayoutEffect(() => {
    if (card.current === null || !hasNoProgram) return undefined
    const unmount = tiles.mountRest(id, card.current)
    if (page.state.focused === id && mayTakeFocus()) tiles.focus()
    return unmount
  }, [page, tiles, id, hasNoProgram])
  useRoom(card)
  const under = wakeWordsOf(terminal) ?? (hasNoProgram ? null : NOTHING_PAINTED)
  const choices = under === null && may('terminal.wake') ? wakeChoicesOf(terminal) : []
  const choose = ({ kind }: WakeChoice) => {
    if (kind === 'conversation') page.open({ kind: 'conversation', terminal: id })
    else void tiles.wake(id, wishOf(kind))
  }
  const takeKey = (event: ReactKeyboardEvent) => {
    const isOnCard = event.target === card.current
    const [likeliest] = choices
    if (event.key === 'Enter' && isOnCard) {
      const isMeant = !hasJustEnded || performance.now() - mountedAt.current > ENTER_AFTER_MS
      if (isMeant && likeliest !== undefined) choose(likeliest)
    } else if (isOnCard && isTyping(event)) {
      event.preventDefault()
      shake(first.current)
    } else if (!OWN_KEYS.includes(event.key) || (isReading && event.key === 'Escape')) tiles.takeKey(event.nativeEvent)
  }
  return (
    <section
      className="rest"
      aria-label={under === null ? 'This terminal is not running' : 'This terminal is waking'}
      ref={card}
      tabIndex={-1}
      onKeyDown={takeKey}
    >
      {under === null ? <Facts terminal={terminal} now={now} /> : <Waking words={under} />}
      {under === null && (
        <div className="ways">
          {choices.map((choice, index) => (
            <button
              type="button"
              key={choice.kind}
              ref={index === 0 ? first : null}
              className={index === 0 ? 'primary' : undefined}
              title={choice.text}
              onClick={() => choose(choice)}
            >
              {choice.label}
            </button>
          ))}
          {terminal.run !== null && terminal.private !== true && (
            <button type="button" onClick={() => (isReading ? tiles.stopReading() : tiles.read(id))}>
              {isReading ? 'Last screen' : 'History'}
            </button>
          )}
          {may('terminal.close') && (
            <button type="button" onClick={() => page.open({ kind: 'close', terminal: id })}>
              Close
            </button>
          )}
        </div>
      )}
    </section>
  )
}

function Facts({ terminal, now }: Pick<Props, 'terminal' | 'now'>) {
  const { head, facts, pullRequest } = restWordsOf(terminal, now)
  const offers = offersOf(terminal)
  const resume = offers?.unsure?.ran ?? offers?.resume ?? null // never a line that is only run if it is chosen
  return (
    <div className="restWords">
      <p className="restHead">{head}</p>
      <p className="restFacts" title={[...facts, ...(resume === null ? [] : [resume])].join('\n')}>
        {pullRequest !== null && (
          <>
            <a href={pullRequest.url} target="_blank" rel="noreferrer">
              #{pullRequest.number} {pullRequest.title}
            </a>{' '}
            {pullRequest.state.toLowerCase()} ·{' '}
          </>
        )}
        {facts.join(' · ')}
        {resume !== null && (
          <>
            {' · '}
            <code>{resume}</code>
          </>
        )}
      </p>
    </div>
  )
}

function Waking({ words }: { readonly words: string }) {
  return (
    <p className="restHead restWords" role="status">
      <span className="turning" aria-hidden="true" /> {words}
    </p>
  )
}

/** The picture above it makes room for it. */
function useRoom(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const place = card.current?.parentElement ?? null
    if (card.current === null || place === null) return undefined
    const sizes = new ResizeObserver(() => place.style.setProperty('--rest-height', `${card.current?.offsetHeight ?? 0}px`))
    sizes.observe(card.current)
    return () => {
      sizes.disconnect()
      place.style.removeProperty('--rest-height')
    }
  }, [card])
}

const OWN_KEYS = ['Enter', ' ', 'Tab', 'Escape']

/** Letters, and what one types to be done with a line: they are meant for a program that is not there. */
const isTyping = ({ key, ctrlKey, metaKey, altKey }: ReactKeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Backspace')

/** Says where the way on is. */
function shake(button: HTMLElement | null): void {
  if (button === null) return
  button.classList.remove('shaken')
  void button.offsetWidth // so that it begins anew
  button.classList.add('shaken')
}

/** Takes the focus only from the screen or from nothing: a text field keeps it. */
function mayTakeFocus(): boolean {
  const at = document.activeElement
  return at === null || at === document.body || at.closest('.host, .rest') !== null
}
