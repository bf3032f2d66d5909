import { useParts } from '../../parts.ts'
import { Fault } from '../../ui/Fault.tsx'
import { Letter } from '../../ui/Letter.tsx'
import { lastOf, useAsked } from '../../ui/useAsked.ts'
import type { Draft, Program } from './draft.ts'
import { needsShell } from './splitWords.ts'

type Props = {
  readonly draft: Draft
  readonly fault: string | undefined
  readonly onChange: (changes: Pick<Draft, 'program' | 'line'>) => void
}

/** A shell, one of the agents that are installed, or any command. */
export function ProgramField({ draft: { program, line }, fault, onChange }: Props) {
  const { page } = useParts()
  const installed = useAsked({ key: 'installed', ask: () => page.ask('agent.installed', {}) })
  const agents = lastOf(installed) ?? []
  const choose = (next: Program) => onChange({ program: next, line: next.kind === program.kind ? line : '' })
  const isAgent = (name: string) => program.kind === 'agent' && program.agent.name === name
  return (
    <fieldset className="field">
      <legend>Program</legend>
      <div className="programs">
        <Choice name="Shell" letter="$" isChosen={program.kind === 'shell'} onChoose={() => choose({ kind: 'shell' })} />
        {agents.map((agent) => (
          <Choice
            key={agent.name}
            name={agent.label}
            letter={agent.label.slice(0, 1)}
            isChosen={isAgent(agent.name)}
            onChoose={() => choose({ kind: 'agent', agent })}
          />
        ))}
        <Choice name="Command" letter="›" isChosen={program.kind === 'command'} onChoose={() => choose({ kind: 'command' })} />
      </div>
      {program.kind !== 'shell' && (
        <label>
          {program.kind === 'command' ? 'Command with its arguments' : 'Arguments (may be empty)'}
          <input
            value={line}
            placeholder={program.kind === 'command' ? 'npm run dev' : ''}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : 'newLineFault'}
            onChange={(event) => onChange({ program, line: event.currentTarget.value })}
          />
        </label>
      )}
      {needsShell(line) && (
        <p className="fieldHint">
          No shell reads this. For pipes and variables write <code>sh -c '…'</code>.
        </p>
      )}
      <Fault id="newLineFault" text={fault} />
    </fieldset>
  )
}

type ChoiceProps = { readonly name: string; readonly letter: string; readonly isChosen: boolean; readonly onChoose: () => void }

function Choice({ name, letter, isChosen, onChoose }: ChoiceProps) {
  return (
    <button type="button" className="program" aria-pressed={isChosen} onClick={onChoose}>
      <Letter letter={letter} />
      {name}
    </button>
  )
}
