import { useMemo } from 'react'
import { type Checkpoint, type Clock, countWords, dayWords, stripOf, timeWords, titleOf } from './timeline.ts'

type Props = {
  readonly all: readonly Checkpoint[]
  readonly chosen: Checkpoint | null
  readonly clock: Clock
  readonly onChoose: (id: string) => void
}

const WIDTH = 1_000

/** All of the time at once, old on the left: dragged along it, the preview follows. */
export function Strip({ all, chosen, clock, onChoose }: Props) {
  const { ticks, days } = useMemo(() => stripOf(all, clock), [all, clock])
  const at = chosen === null ? 0 : all.length - 1 - all.findIndex(({ id }) => id === chosen.id)
  const lines = (standsOut: boolean): string =>
    ticks
      .filter((tick) => tick.standsOut === standsOut)
      .map((tick) => `M${tick.at * WIDTH} ${standsOut ? 2 : 9}V${standsOut ? 22 : 17}`)
      .join('')
  return (
    <div className="strip">
      <svg viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" aria-hidden="true">
        <path d={lines(false)} />
        <path className="asked" d={lines(true)} />
      </svg>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={chosen === null ? 'none' : spoken(chosen, all, clock)}
        min={0}
        max={Math.max(0, all.length - 1)}
        value={at}
        onChange={(event) => {
          const next = all[all.length - 1 - event.currentTarget.valueAsNumber]
          if (next !== undefined) onChoose(next.id)
        }}
      />
      <div className="stripDays" aria-hidden="true">
        {days.map(({ at: place, title }) => (
          <span key={title} style={{ left: `${place * 100}%` }}>
            {title}
          </span>
        ))}
        <span className="stripNow">Newest</span>
      </div>
    </div>
  )
}

const spoken = (chosen: Checkpoint, all: readonly Checkpoint[], clock: Clock): string =>
  [dayWords(chosen.at, clock), timeWords(chosen.at, clock), titleOf(chosen, all, clock), countWords(chosen.terminalCount)].join(', ')
