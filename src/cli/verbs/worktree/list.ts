import { done, refusals, refused } from '../../../base/refusal.ts'
import type { RepositoryShown } from '../../../wire/commands/directory.ts'
import { directoryNamed } from '../../directoryNamed.ts'
import { EXIT } from '../../exit.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

type Worktree = RepositoryShown['worktrees'][number]

const COLUMNS: readonly Column<Worktree>[] = [
  { title: 'BRANCH', text: ({ branch }) => branch ?? '(no branch)' },
  { title: 'PATH', text: ({ path, isHalfMade }) => (isHalfMade ? `${path} (interrupted: ask for it again)` : path), shrinks: true },
]

export const list: Verb = {
  name: 'list',
  summary: 'List the worktrees of the repository that a directory is in (here).',
  operands: '[directory]',
  completes: 'file',
  options: [JSON_OPTION],
  example: ['holdfast worktree list', 'holdfast worktree list ~/api'],
  run: async (input, host) => {
    const directory = directoryNamed(host, input.operands[0] ?? '.')
    if (!directory.ok) return directory
    const shown = await host.ask('repository.show', { path: directory.value })
    if (!shown.ok) return shown
    const repository = shown.value.result
    if (repository === null) return refused(refusals.repositoryNotFound(directory.value))
    if (input.flag('json')) host.printJson(repository)
    else host.print(await tableText(repository.worktrees, COLUMNS, host))
    return done(EXIT.done)
  },
}
