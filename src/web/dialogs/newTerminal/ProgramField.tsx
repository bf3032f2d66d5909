import { PROGRAM_GRANTS, type ProgramGrant } from '../../../workspace/terminal/terminal.ts'
import { useParts } from '../../hooks/parts.ts'
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
          {program.kind === 'command' ? 'Command and arguments' : 'Arguments (optional)'}
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
          This is not run by a shell. For pipes and variables, use <code>sh -c '…'</code>.
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

type MayFieldProps = { readonly may: Draft['may']; readonly onChange: (may: Draft['may']) => void }

const WORDS: Readonly<Record<ProgramGrant, string>> = {
  report: 'Report on this terminal',
  read: 'Also read this terminal',
  send: 'Also type into this terminal',
  all: 'Everything, in all terminals',
}

/** What a sandboxed program can ask of Holdfast. */
export function MayField({ may, onChange }: MayFieldProps) {
  return (
    <label>
      Programs may
      <select value={may ?? ''} onChange={(event) => onChange(PROGRAM_GRANTS.find((grant) => grant === event.currentTarget.value) ?? null)}>
        <option value="">Default (from settings)</option>
        {PROGRAM_GRANTS.map((grant) => (
          <option key={grant} value={grant}>
            {WORDS[grant]}
          </option>
        ))}
      </select>
    </label>
  )
}
