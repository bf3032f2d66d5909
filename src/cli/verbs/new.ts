import { done, type Result } from '../../base/refusal.ts'
import { BACKENDS, ON_RESTORE, PROGRAM_GRANTS } from '../../workspace/terminal.ts'
import { PLACES, parseBeside } from '../beside.ts'
import { directoryNamed } from '../directoryNamed.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { inheritedEnv } from '../inheritedEnv.ts'
import { parseChoice, parseEnv, parseSize, usage } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'new',
  summary: 'Start a program, or your shell, in a new terminal and print its id.',
  operands: '[command...]',
  passesOn: true,
  options: [
    { flags: '--name <name>', help: 'a name to call it by' },
    { flags: '--cwd <directory>', help: 'where it starts (here)' },
    { flags: '--worktree <branch>', help: 'start it in the worktree of this branch, which is made if it is not there' },
    { flags: '--workspace <workspace>', help: 'where it is shown (the first workspace)' },
    { flags: '--beside <terminal>', help: 'the terminal it is shown beside (where there is most room)' },
    { flags: '--where <place>', help: 'at which side of that one, or "center" for a tab with it (right)', choices: PLACES },
    { flags: '--size <colsxrows>', help: 'its size until somebody looks at it' },
    { flags: '--env <name=value>', help: 'a variable for it; NAME alone hands over yours; repeatable', repeats: true },
    { flags: '--private', help: 'store nothing it prints or is given; once it has ended, that is gone (see below)' },
    { flags: '--backend <backend>', help: 'who holds it: Holdfast itself, or a tmux of its own (as the settings say)', choices: BACKENDS },
    { flags: '--restore <when>', help: 'after a crash: wake it, let it sleep, or as the policy says', choices: ON_RESTORE },
    {
      flags: '--may <what>',
      help: 'what its programs may do through HOLDFAST_SOCKET (as the settings say)',
      choices: PROGRAM_GRANTS,
    },
    { flags: '--attach', help: 'attach to it at once' },
    JSON_OPTION,
  ],
  details: [
    'With --private, Holdfast stores the name, the command without its arguments, the directory it starts in, its size and place, its',
    'times and its exit status. Its arguments and --env values are not stored, nor its output, screens, title, conversation or where it',
    'goes: they are in memory while it runs. Once the daemon has restarted, a wake asks before it runs the command without them.',
    'Files that you drop onto it are on disk until it ends. Other programs of yours can see its arguments while it runs (ps).',
  ],
  example: [
    'holdfast new --name api --cwd ~/api --env PORT=3000 -- npm run dev',
    'holdfast new --attach -- claude',
    'holdfast new --beside api --where bottom',
    'holdfast new --worktree fix/login -- claude',
  ],
  run: async (input, host) => {
    const attach = input.flag('attach')
    if (attach && host.stdin.isTTY !== true) return usage('--attach needs a terminal on its input')
    const env = parseEnv(input.list('env'), host.env)
    if (!env.ok) return env
    const typedSize = input.text('size')
    const size = typedSize === undefined ? null : parseSize(typedSize)
    if (size?.ok === false) return size
    const directory = directoryNamed(host, input.text('cwd') ?? '.')
    if (!directory.ok) return directory
    const onRestore = parseChoice(input.text('restore'), ON_RESTORE, '--restore')
    if (!onRestore.ok) return onRestore
    const backend = parseChoice(input.text('backend'), BACKENDS, '--backend')
    if (!backend.ok) return backend
    const may = parseChoice(input.text('may'), PROGRAM_GRANTS, '--may')
    if (!may.ok) return may
    const beside = parseBeside(input)
    if (!beside.ok) return beside
    const branch = input.text('worktree')
    const cwd = branch === undefined ? directory : await worktreeFor(host, directory.value, branch)
    if (!cwd.ok) return cwd
    const [command, ...args] = input.operands
    const name = input.text('name')
    const workspace = input.text('workspace')
    const ours = attach && host.stdout.isTTY === true ? { cols: host.stdout.columns, rows: host.stdout.rows } : undefined
    const wanted = size?.value ?? ours
    const made = await host.ask('terminal.new', {
      cwd: cwd.value,
      env: env.value,
      inherited: inheritedEnv(host.env),
      args,
      ...(command === undefined ? {} : { command }),
      ...(name === undefined ? {} : { name }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(beside.value === null ? {} : { beside: beside.value }),
      ...(wanted === undefined ? {} : { size: wanted }),
      ...(input.flag('private') ? { private: true } : {}),
      ...(onRestore.value === undefined ? {} : { onRestore: onRestore.value }),
      ...(backend.value === undefined ? {} : { backend: backend.value }),
      ...(may.value === undefined ? {} : { may: may.value }),
    })
    if (!made.ok && branch !== undefined) host.complain(`holdfast: the worktree is at ${cwd.value}`)
    if (!made.ok) return made
    const terminal = made.value.result
    if (attach) return await (await import('../attach/attach.ts')).attach(terminal.id, host)
    if (input.flag('json')) host.printJson(terminal)
    else host.print(terminal.id)
    return done(EXIT.done)
  },
}

/** The worktree of the branch: the one that is there, or else a new one. */
async function worktreeFor(host: Host, directory: string, branch: string): Promise<Result<string>> {
  const shown = await host.ask('repository.show', { path: directory })
  if (!shown.ok) return shown
  const repository = shown.value.result
  const known = repository?.worktrees.find(
    ({ path, branch: other, isHalfMade }) => other === branch && !isHalfMade && path !== repository.root,
  )
  if (known !== undefined) return done(known.path)
  const made = await host.ask('repository.addWorktree', { repository: directory, branch })
  return made.ok ? done(made.value.result.path) : made
}
