import { done } from '../../../base/refusal.ts'
import { directoryNamed } from '../../directoryNamed.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const create: Verb = {
  name: 'new',
  summary: 'Make a worktree on a new branch, or on one that is there, and print where it is.',
  operands: '<branch>',
  options: [
    { flags: '--from <directory>', help: 'a directory of the repository (here)' },
    { flags: '--base <ref>', help: 'where a new branch begins (what is checked out)' },
    { flags: '--path <path>', help: 'where to put it (beside the repository, in NAME-worktrees)' },
    JSON_OPTION,
  ],
  details: ['It is outside of the repository, so that no tool takes it for a part of it. git worktree remove takes it away again.'],
  example: ['holdfast worktree new fix/login', 'cd "$(holdfast worktree new spike --base main)"'],
  run: async (input, host) => {
    const repository = directoryNamed(host, input.text('from') ?? '.')
    if (!repository.ok) return repository
    const typedPath = input.text('path')
    const path = typedPath === undefined ? null : directoryNamed(host, typedPath)
    if (path?.ok === false) return path
    const base = input.text('base')
    const made = await host.ask('repository.addWorktree', {
      repository: repository.value,
      branch: input.operands[0] ?? '',
      ...(path === null ? {} : { path: path.value }),
      ...(base === undefined ? {} : { base }),
    })
    if (!made.ok) return made
    if (input.flag('json')) host.printJson(made.value.result)
    else host.print(made.value.result.path)
    return done(EXIT.done)
  },
}
