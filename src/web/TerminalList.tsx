import type { TerminalView } from '../wire/view.ts'
import { StateMark } from './StateMark.tsx'
import { type AgentWords, agentWordsOf, describe, factsOf, howLong, nameOf } from './words.ts'

type Props = {
  readonly terminals: readonly TerminalView[]
  readonly selected: string | null
  readonly now: number
  readonly onSelect: (id: string) => void
}

export function TerminalList({ terminals, selected, now, onSelect }: Props) {
  return (
    <ul className="terminals" aria-label="Terminals">
      {terminals.map((terminal) => (
        <li key={terminal.id}>
          <Row terminal={terminal} isSelected={terminal.id === selected} now={now} onSelect={onSelect} />
        </li>
      ))}
    </ul>
  )
}

type RowProps = Pick<Props, 'now' | 'onSelect'> & { readonly terminal: TerminalView; readonly isSelected: boolean }

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
