import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { useParts } from '../parts.ts'
import { restWordsOf, type WakeChoice, wakeChoicesOf } from '../words.ts'

/** Who was typing when the program ended presses Enter once more: that one is not for us. */
const FOCUS_AFTER_END_MS = 700

type Props = {
  readonly terminal: TerminalView
  readonly now: number
  /** Whether it was awake when this place showed it last. */
  readonly hasJustEnded: boolean
}

/** Lies over the last screen of a terminal that sleeps: why, since when, and how it can be woken. */
export function Rest({ terminal, now, hasJustEnded }: Props) {
  const { page, tiles } = useParts()
  const first = useRef<HTMLButtonElement>(null)
  const wasAwake = useRef(hasJustEnded)
  useEffect(() => {
    const take = () => page.state.focused === terminal.id && takeFocus(first.current)
    const timer = setTimeout(take, wasAwake.current ? FOCUS_AFTER_END_MS : 0)
    return () => clearTimeout(timer)
  }, [page, terminal.id])
  const choose = ({ kind }: WakeChoice) => {
    if (kind === 'conversation') page.open({ kind: 'conversation', terminal: terminal.id })
    else void page.wake(terminal.id, { mode: kind }).then(() => tiles.focus())
  }
  // Keys that scroll or change the terminal work here as they do on the screen.
  const takeKey = (event: ReactKeyboardEvent) => {
    if (!OWN_KEYS.includes(event.key)) tiles.takeKey(event.nativeEvent)
  }
  const choices = wakeChoicesOf(terminal)
  const { head, detail } = restWordsOf(terminal, now)
  return (
    <section className="rest" aria-label="This terminal is not running" onKeyDown={takeKey}>
      <p>
        <strong>{head}</strong> {detail}
        {terminal.offers?.resume && (
          <span>
            {' '}
            Resume starts <code>{terminal.offers.resume}</code>
            {terminal.offers.goesOnWith && ` (${terminal.offers.goesOnWith})`}
          </span>
        )}
      </p>
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
        <button type="button" onClick={() => page.open({ kind: 'close', terminal: terminal.id })}>
          Close
        </button>
      </div>
    </section>
  )
}

const OWN_KEYS = ['Enter', ' ', 'Tab', 'Escape']

/** Only from the screen or from nowhere: whoever writes a name goes on writing it. */
function takeFocus(button: HTMLButtonElement | null): void {
  const at = document.activeElement
  if (at === null || at === document.body || at.closest('.host') !== null) button?.focus()
}
