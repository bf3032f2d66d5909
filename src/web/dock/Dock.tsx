import type { TerminalView } from '../../wire/view.ts'
import { useNow, usePageState, useParts } from '../parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { type AgentWords, agentWordsOf, describe, factsOf, howLong, nameOf } from '../words.ts'

/** Every terminal, in an order that never changes by itself. */
export function Dock() {
  const { page, tiles } = useParts()
  const { terminals, focused } = usePageState()
  const now = useNow()
  const select = (id: string) => {
    page.closeOverlay()
    page.focus(id)
    tiles.focus()
  }
  if (terminals === null) return <p className="hint">Waiting for the daemon…</p>
  return (
    <ul className="terminals" aria-label="Terminals">
      {terminals.map((terminal) => (
        <li key={terminal.id}>
          <Row terminal={terminal} isSelected={terminal.id === focused} now={now} onSelect={select} />
        </li>
      ))}
    </ul>
  )
}

type RowProps = {
  readonly terminal: TerminalView
  readonly isSelected: boolean
  readonly now: number
  readonly onSelect: (id: string) => void
}

function Row({ terminal, isSelected, now, onSelect }: RowProps) {
  const { mark, state } = describe(terminal)
  return (
    <button type="button" className="row" aria-current={isSelected ? 'true' : undefined} onClick={() => onSelect(terminal.id)}>
      <StateMark mark={mark} />
      <span className="name">{nameOf(terminal)}</span>
      <span className="age" title={`since ${new Date(terminal.since).toLocaleString()}`}>
        {howLong(terminal.since, now)}
      </span>
      <span className="facts">{factsOf(terminal)}</span>
      {mark === 'live' ? (
        <LiveState state={state} agent={agentWordsOf(terminal, now)} />
      ) : (
        <span className={`state ${mark}`} title={state}>
          {state}
        </span>
      )}
    </button>
  )
}

/** That it lives its mark says; how its agent does is what one looks for. */
function LiveState({ state, agent }: { readonly state: string; readonly agent: AgentWords | null }) {
  if (agent === null) return <span className="unseen">{state}</span>
  return (
    <span className={`state ${agent.mark}`} title={agent.words ?? undefined}>
      {agent.state}
    </span>
  )
}
