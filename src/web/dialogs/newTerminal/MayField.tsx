import { PROGRAM_GRANTS, type ProgramGrant } from '../../../workspace/terminal.ts'
import type { Draft } from './draft.ts'

type Props = { readonly may: Draft['may']; readonly onChange: (may: Draft['may']) => void }

const WORDS: Readonly<Record<ProgramGrant, string>> = {
  report: 'Report about this terminal',
  read: 'Also read this terminal',
  send: 'Also type into this terminal',
  all: 'Everything, in all terminals',
}

/** What a sandboxed program can ask of Holdfast. */
export function MayField({ may, onChange }: Props) {
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
