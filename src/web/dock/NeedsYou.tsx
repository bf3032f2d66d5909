import type { TerminalView } from '../../wire/view.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { howLong, nameOf } from '../words.ts'
import { wantOf } from './dockRows.ts'

type Props = { readonly terminals: readonly TerminalView[]; readonly now: number; readonly onSelect: (id: string) => void }

/** Who waits for somebody, the longest first. It stays on top however far the rows are scrolled. */
export function NeedsYou({ terminals, now, onSelect }: Props) {
  if (terminals.length === 0) return null
  return (
    <section className="callers" aria-label="Needs you">
      <h2>Needs you · {terminals.length}</h2>
      <ul>
        {terminals.map((terminal) => (
          <li key={terminal.id}>
            <button type="button" onClick={() => onSelect(terminal.id)}>
              <StateMark mark="warning" />
              <span className="who">{nameOf(terminal)}</span>
              <span className="age">{howLong(terminal.agent?.since ?? now, now)}</span>
              <span className="want">
                {terminal.agent?.label} {wantOf(terminal)}
                {terminal.agent?.words && <q>{terminal.agent.words}</q>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
