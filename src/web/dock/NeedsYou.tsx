import { agentOf } from '../../wire/view.ts'
import { OfTerminal, useNow } from '../hooks/parts.ts'
import { wantOf } from '../state/needsYou.ts'
import { nameOf, waitedFor } from '../state/words.ts'
import { StateMark } from '../ui/StateMark.tsx'

type Props = { readonly terminals: readonly string[]; readonly now: number; readonly onSelect: (id: string) => void }

/** The agents that wait for the user, the longest first. It stays on top while the rows scroll. */
export function NeedsYou({ terminals, now, onSelect }: Props) {
  if (terminals.length === 0) return null
  return (
    <section className="callers" aria-label="Needs you">
      <h2>Needs you · {terminals.length}</h2>
      <ul>
        {terminals.map((id) => (
          <OfTerminal key={id} id={id}>
            {(terminal) => {
              const agent = agentOf(terminal)
              return (
                <li>
                  <button type="button" onClick={() => onSelect(id)}>
                    <StateMark mark="warning" />
                    <span className="who">{nameOf(terminal)}</span>
                    <span className="age">
                      <Waited since={agent?.since ?? now} />
                    </span>
                    <span className="want">
                      {agent?.label} {wantOf(terminal)}
                      {agent?.words && <q>{agent.words}</q>}
                    </span>
                  </button>
                </li>
              )
            }}
          </OfTerminal>
        ))}
      </ul>
    </section>
  )
}

/** How long an agent has been waiting, counted in seconds at first. */
export const Waited = ({ since }: { readonly since: number }) => waitedFor(since, useNow(1_000))
