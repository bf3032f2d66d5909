import { type Result, refusals, refused } from '../../base/refusal.ts'
import type { RepositoryShown } from '../../wire/commands/directory.ts'
import { given, print, show } from '../core/answers.ts'
import { parseDirectory } from '../core/parse.ts'
import type { Verb } from '../core/verb.ts'
import { type Column, tableText } from '../text/table.ts'

const COLUMNS: readonly Column<RepositoryShown['worktrees'][number]>[] = [
  { title: 'BRANCH', text: ({ branch }) => branch ?? '(no branch)' },
  { title: 'PATH', text: ({ path, isHalfMade }) => (isHalfMade ? `${path} (incomplete: create it again)` : path), shrinks: true },
]

const list: Verb = {
  name: 'list',
  summary: 'List the worktrees of a repository (default: here).',
  operands: '[directory]',
  completes: 'file',
  example: ['holdfast worktree list', 'holdfast worktree list ~/api'],
  run: async (cli, input) => {
    const directory = parseDirectory(cli, input.operands[0] ?? '.')
    if (!directory.ok) return directory
    const shown = await cli.ask('repository.show', { path: directory.value })
    if (!shown.ok) return shown
    const repository = shown.value.result
    if (repository === null) return refused(refusals.repositoryNotFound(directory.value))
    return await print(cli, repository, ({ worktrees }) => tableText(worktrees, COLUMNS, cli))
  },
}

const make: Verb = {
  name: 'new',
  summary: 'Create a worktree for a branch and print its path.',
  operands: '<branch>',
  options: [
    { flags: '--from <directory>', help: 'a directory of the repository (default: here)' },
    { flags: '--base <ref>', help: 'start a new branch from this ref (default: HEAD)' },
    { flags: '--path <path>', help: 'path of the worktree (default: NAME-worktrees/BRANCH)' },
  ],
  details: [
    'A branch that does not exist is created. The worktree is beside the repository,',
    'not in it, so that no tool takes it for a part of it. To remove it, use',
    'git worktree remove.',
  ],
  example: ['holdfast worktree new fix/login', 'cd "$(holdfast worktree new spike --base main)"'],
  run: async (cli, input) => {
    const repository = parseDirectory(cli, input.text('from') ?? '.')
    if (!repository.ok) return repository
    const typed = input.text('path')
    const path: Result<string> | undefined = typed === undefined ? undefined : parseDirectory(cli, typed)
    if (path?.ok === false) return path
    const wanted = { repository: repository.value, branch: input.operands[0] ?? '' }
    const optional = given({ path: path?.value, base: input.text('base') })
    return await show(cli, cli.ask('repository.addWorktree', { ...wanted, ...optional }), (made) => made.path)
  },
}

export const verb: Verb = {
  name: 'worktree',
  summary: 'List or create worktrees of a git repository.',
  example: ['holdfast worktree list', 'holdfast worktree new fix/login', 'holdfast new --worktree fix/login -- claude'],
  verbs: [list, make],
}
