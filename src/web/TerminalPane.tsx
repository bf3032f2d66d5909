import { useEffect, useRef } from 'react'
import type { TerminalView } from '../wire/view.ts'
import type { HistoryNote } from './depth.ts'
import { TOUCH_KEYS, type TouchKey } from './keys.ts'
import { describe, historyWords, howLong, restWords, type SizeNote } from './words.ts'

type Props = {
  /** Null while there is none: the place is measured all the same, so that a new terminal starts at its size. */
  readonly terminal: TerminalView | null
  readonly now: number
  readonly mount: (host: HTMLElement) => () => void
  readonly sizeNote: SizeNote | null
  readonly historyNote: HistoryNote | null
  readonly onLead: () => void
  readonly onTouchKey: (key: TouchKey) => void
  readonly onWake: () => void
  readonly onClose: () => void
}

export function TerminalPane({ terminal, now, mount, sizeNote, historyNote, onLead, onTouchKey, onWake, onClose }: Props) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : mount(host.current)), [mount])
  const isAsleep = terminal?.state === 'asleep'
  return (
    <>
      <div className="screen" data-asleep={isAsleep} hidden={terminal === null}>
        <p className="historyNote" role="status" data-shown={historyNote !== null}>
          {historyNote !== null && historyWords(historyNote)}
        </p>
        <div className="host" ref={host} />
        {sizeNote !== null && (
          <p className="sizeNote" role="status">
            <span>{sizeNote.text}</span>
            {sizeNote.canLead && (
              <button type="button" onClick={onLead}>
                Fit it here
              </button>
            )}
          </p>
        )}
      </div>
      {isAsleep && <Rest terminal={terminal} now={now} onWake={onWake} onClose={onClose} />}
      {terminal?.trouble && <p className="rest">{terminal.trouble}</p>}
      {terminal !== null && !isAsleep && <TouchKeys onTouchKey={onTouchKey} />}
    </>
  )
}

type RestProps = Pick<Props, 'now' | 'onWake' | 'onClose'> & { readonly terminal: TerminalView }

function Rest({ terminal, now, onWake, onClose }: RestProps) {
  return (
    <section className="rest" aria-label="This terminal is not running">
      <p>
        <strong>{describe(terminal).state}</strong> <span>{`${sinceWords(howLong(terminal.since, now))} ${restWords(terminal)}`}</span>
      </p>
      <button type="button" className="primary" onClick={onWake}>
        Restart
      </button>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </section>
  )
}

/** A press must not take the focus from the terminal: a phone would fold its keyboard away. */
function TouchKeys({ onTouchKey }: Pick<Props, 'onTouchKey'>) {
  return (
    <div className="touchKeys" role="toolbar" aria-label="Keys">
      {TOUCH_KEYS.map((key) => (
        <button
          type="button"
          key={key.label}
          aria-label={key.name}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTouchKey(key)}
        >
          {key.label}
        </button>
      ))}
    </div>
  )
}

const sinceWords = (age: string): string => (age === 'now' ? 'just now.' : `${age} ago.`)
