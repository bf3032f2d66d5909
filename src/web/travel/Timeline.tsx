import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Checkpoint,
  type Clock,
  chosenByKey,
  detailOf,
  faultOf,
  heightOf,
  type Row,
  rowsInSight,
  rowsOf,
  scrolledTo,
  standsOut,
  timeWords,
  titleOf,
} from './timeline.ts'

type Props = {
  readonly all: readonly Checkpoint[]
  readonly chosen: string | null
  readonly damaged: ReadonlySet<string>
  readonly clock: Clock
  readonly onChoose: (id: string) => void
  /** Enter, or a click. */
  readonly onTake: (how: 'key' | 'pointer') => void
}

/** Newest on top, in days. Only the rows in sight are drawn, however many there are. */
export function Timeline({ all, chosen, damaged, clock, onChoose, onTake }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 600 })
  const rows = useMemo(() => rowsOf(all, clock), [all, clock])
  useSize(list, setSeen)
  useEffect(() => {
    if (list.current !== null && chosen !== null) list.current.scrollTop = scrolledTo(rows, chosen, seenOf(list.current))
  }, [rows, chosen])
  const take = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return onTake('key')
    const next = chosenByKey(
      event.key,
      all.findIndex(({ id }) => id === chosen),
      all.length,
    )
    const checkpoint = next === null ? undefined : all[next]
    if (checkpoint === undefined) return
    event.preventDefault()
    onChoose(checkpoint.id)
  }
  const inSight = new Set(rowsInSight(rows, seen))
  // The chosen one is there even when it is scrolled away: a screen reader looks for it.
  const drawn = rows.filter((row) => inSight.has(row) || (row.kind === 'checkpoint' && row.checkpoint.id === chosen))
  return (
    <div
      ref={list}
      className="timeline"
      role="listbox"
      tabIndex={0}
      data-first
      aria-label="Checkpoints"
      aria-activedescendant={chosen === null ? undefined : optionId(chosen)}
      onKeyDown={take}
      onScroll={({ currentTarget }) => setSeen(seenOf(currentTarget))}
    >
      <div role="presentation" style={{ height: heightOf(rows) }}>
        {drawn.map((row) =>
          row.kind === 'day' ? (
            <p key={row.title} className="day" role="presentation" style={placeOf(row)}>
              {row.title}
            </p>
          ) : (
            <Option
              key={row.checkpoint.id}
              {...{ row, all, chosen, damaged, clock }}
              onPick={() => {
                onChoose(row.checkpoint.id)
                onTake('pointer')
              }}
            />
          ),
        )}
      </div>
    </div>
  )
}

type OptionProps = Pick<Props, 'all' | 'chosen' | 'damaged' | 'clock'> & {
  readonly row: Extract<Row, { kind: 'checkpoint' }>
  readonly onPick: () => void
}

function Option({ row, all, chosen, damaged, clock, onPick }: OptionProps) {
  const { checkpoint, index } = row
  const isBad = faultOf(checkpoint, damaged) !== null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list has the keyboard, for all of them
    <div
      role="option"
      id={optionId(checkpoint.id)}
      className="moment"
      aria-selected={checkpoint.id === chosen}
      aria-posinset={index + 1}
      aria-setsize={all.length}
      data-asked={standsOut(checkpoint)}
      data-bad={isBad}
      style={placeOf(row)}
      onClick={onPick}
    >
      <time dateTime={new Date(checkpoint.at).toISOString()}>{timeWords(checkpoint.at, clock)}</time>
      <span className="momentTitle">{titleOf(checkpoint, all, clock)}</span>
      <small className="momentDetail">{detailOf(checkpoint, damaged)}</small>
    </div>
  )
}

const optionId = (id: string): string => `moment-${id}`
const placeOf = ({ top, height }: Row) => ({ top, height })
const seenOf = ({ scrollTop, clientHeight }: HTMLElement) => ({ top: scrollTop, height: clientHeight })

function useSize(list: { readonly current: HTMLElement | null }, onSize: (seen: { top: number; height: number }) => void): void {
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const watcher = new ResizeObserver(() => onSize(seenOf(element)))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [list, onSize])
}
