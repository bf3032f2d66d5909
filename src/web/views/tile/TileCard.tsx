import type { TerminalView } from '../../../wire/view.ts'
import { useTold } from '../../health/TileTrouble.tsx'
import { useNow, usePage, useParts } from '../../hooks/parts.ts'
import { agentWordsOf, nameOf } from '../../state/words.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { stateOf, whereOf } from './headerWords.ts'
import './tile.css'

/** A terminal seen from far away: what it is and how it does, in letters that can still be read. */
export function TileCard({ terminal }: { readonly terminal: TerminalView }) {
  const { page } = useParts()
  const isFocused = usePage(({ focused }) => focused === terminal.id)
  const now = useNow()
  const { mark, state } = stateOf(useTold(terminal), now)
  const agent = agentWordsOf(terminal, now)
  return (
    <section
      className="tile tileCard"
      data-focused={isFocused}
      data-terminal={terminal.id}
      data-mark={mark}
      aria-label={nameOf(terminal)}
      onPointerDown={() => page.focus(terminal.id)}
    >
      <p className="cardName">
        <StateMark mark={mark} />
        {nameOf(terminal)}
      </p>
      <p className={`cardState ${mark}`}>{state}</p>
      <p className="cardWords">{agent?.words ?? whereOf(terminal)}</p>
    </section>
  )
}
