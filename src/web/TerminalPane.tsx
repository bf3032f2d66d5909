import { useEffect, useRef } from 'react'
import type { TerminalView } from '../wire/view.ts'
import type { HistoryNote } from './depth.ts'
import { TOUCH_KEYS, type TouchKey } from './keys.ts'
import type { Wish } from './page.ts'
import { Rest } from './Rest.tsx'
import { historyWords, type SizeNote } from './words.ts'

type Props = {
  /** Null while there is none: the place is measured all the same, so that a new terminal starts at its size. */
  readonly terminal: TerminalView | null
  readonly now: number
  readonly mount: (host: HTMLElement) => () => void
  readonly sizeNote: SizeNote | null
  readonly historyNote: HistoryNote | null
  readonly onLead: () => void
  readonly onTouchKey: (key: TouchKey) => void
  readonly onWake: (wish: Wish) => void
  readonly onKey: (event: KeyboardEvent) => void
  readonly onClose: () => void
}

export function TerminalPane({ terminal, now, mount, sizeNote, historyNote, onLead, onTouchKey, onWake, onKey, onClose }: Props) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : mount(host.current)), [mount])
  const isAsleep = terminal?.state === 'asleep'
  const awake = useRef<string | null>(null)
  useEffect(() => {
    if (terminal !== null && !isAsleep) awake.current = terminal.id
  }, [terminal, isAsleep])
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
      {isAsleep && (
        <Rest
          key={terminal.id}
          terminal={terminal}
          now={now}
          hasJustEnded={awake.current === terminal.id}
          onWake={onWake}
          onKey={onKey}
          onClose={onClose}
        />
      )}
      {terminal?.trouble && <p className="rest">{terminal.trouble}</p>}
      {terminal !== null && !isAsleep && <TouchKeys onTouchKey={onTouchKey} />}
    </>
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
