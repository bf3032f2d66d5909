import type { RepositoryShown } from '../../../wire/commands/directory.ts'
import { shortPath } from '../../state/words.ts'
import { Fault } from '../../ui/Fault.tsx'
import { type Draft, pathFor, suggestedWorktree } from './draft.ts'

type Props = {
  readonly repository: RepositoryShown
  readonly draft: Draft
  readonly fault: string | undefined
  readonly onChange: (changes: Partial<Draft>) => void
}

/** Whether it starts in the directory as it is, in another worktree of its repository, or in a new one. */
export function WorktreeField({ repository, draft: { worktree, directory }, fault, onChange }: Props) {
  const others = repository.worktrees.filter(({ path }) => path !== directory)
  const write = (changes: Partial<NonNullable<Draft['worktree']>>) =>
    worktree !== null && onChange({ worktree: { ...worktree, ...changes } })
  return (
    <fieldset className="field">
      <legend>
        Repository {repository.name}
        {repository.branch !== null && <span className="fieldHint"> on {repository.branch}</span>}
      </legend>
      <label className="tick">
        <input
          type="checkbox"
          checked={worktree !== null}
          onChange={(event) => onChange({ worktree: event.currentTarget.checked ? suggestedWorktree(repository) : null })}
        />
        In a new worktree
      </label>
      {worktree !== null && (
        <div className="worktree">
          <label>
            Branch
            <input
              list="newBranches"
              value={worktree.branch}
              spellCheck={false}
              autoComplete="off"
              aria-invalid={fault !== undefined}
              aria-describedby={fault === undefined ? undefined : 'newWorktreeFault'}
              onChange={(event) => write({ branch: event.currentTarget.value })}
            />
          </label>
          <datalist id="newBranches">
            {repository.branches.map((branch) => (
              <option key={branch} value={branch} />
            ))}
          </datalist>
          <label>
            Path
            <input
              value={worktree.path}
              placeholder={pathFor(repository, worktree.branch)}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => write({ path: event.currentTarget.value })}
            />
          </label>
        </div>
      )}
      {worktree === null && others.length > 0 && (
        <p className="worktrees">
          <span>Other worktrees:</span>
          {others.slice(0, 6).map(({ path, branch }) => (
            <button type="button" key={path} title={path} onClick={() => onChange({ directory: path })}>
              {branch ?? shortPath(path)}
            </button>
          ))}
        </p>
      )}
      <Fault id="newWorktreeFault" text={fault} />
    </fieldset>
  )
}
