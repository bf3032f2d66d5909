/** Makes what a draft says: first its worktree, then the terminal in it. */
import type { RepositoryShown } from '../../../wire/commands/directory.ts'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import type { Page } from '../../state/page.ts'
import { check, type Draft, type Faults, faultsOf } from './draft.ts'

export type Submitted =
  | { readonly kind: 'made' }
  /** `draft` is what is left to do: a worktree that was made is not made again. */
  | { readonly kind: 'refused'; readonly faults: Faults; readonly draft: Draft }

type Given = { readonly repository: RepositoryShown | null; readonly size: Size | null }

export async function submit(page: Pick<Page, 'ask' | 'tryCreate'>, draft: Draft, { repository, size }: Given): Promise<Submitted> {
  const checked = check(draft)
  if (!checked.ok) return { kind: 'refused', faults: checked.faults, draft }
  if (draft.worktree === null || repository === null) return create(page, draft, { ...checked.wish, size })
  const { branch, path } = draft.worktree
  const chosen = path.trim() === '' ? {} : { path: path.trim() }
  const made = await page.ask('repository.addWorktree', { repository: repository.root, branch: branch.trim(), ...chosen })
  if (!made.ok) return { kind: 'refused', faults: faultsOf(made.refusal), draft }
  const inside = { ...draft, directory: made.value.path, worktree: null }
  return create(page, inside, { ...checked.wish, cwd: made.value.path, size })
}

async function create(page: Pick<Page, 'tryCreate'>, draft: Draft, wish: Parameters<Page['tryCreate']>[0]): Promise<Submitted> {
  const made = await page.tryCreate(wish)
  return made.ok ? { kind: 'made' } : { kind: 'refused', faults: faultsOf(made.refusal), draft }
}
