import { done, type Result } from '../../base/refusal.ts'
import { BACKENDS, ON_RESTORE, PROGRAM_GRANTS } from '../../workspace/terminal/terminal.ts'
import { given, print } from '../core/answers.ts'
import { chosen, inheritedEnv, PLACES, parseBeside, parseDirectory, parseEnv, parseSize, usage } from '../core/parse.ts'
import type { Cli, Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'new',
  summary: 'Start a program or your shell in a new terminal.',
  operands: '[command...]',
  passesOn: true,
  options: [
    { flags: '--name <name>', help: 'name of the terminal' },
    { flags: '--cwd <directory>', help: 'start it in this directory (default: here)' },
    { flags: '--worktree <branch>', help: 'start it in this branch’s worktree; create it if missing' },
    { flags: '--workspace <workspace>', help: 'show it in this workspace (default: the first)' },
    { flags: '--beside <terminal>', help: 'show it beside this terminal (default: most room)' },
    { flags: '--where <place>', help: 'side of that terminal; center makes a tab (default: right)', choices: PLACES },
    { flags: '--size <colsxrows>', help: 'size until a client shows it' },
    { flags: '--env <name=value>', help: 'set a variable; NAME alone passes yours on; repeatable', repeats: true },
    { flags: '--private', help: 'store none of its input and output (see below)' },
    { flags: '--backend <backend>', help: 'what holds the program (default: backend in config.toml)', choices: BACKENDS },
    { flags: '--restore <when>', help: 'what to do with it after a crash (default: policy)', choices: ON_RESTORE },
    { flags: '--may <what>', help: 'what its programs may do through HOLDFAST_SOCKET', choices: PROGRAM_GRANTS },
    { flags: '--attach', help: 'attach to it' },
  ],
  details: [
    'Prints the id of the terminal.',
    'With --private, Holdfast stores only the name, the command without its arguments,',
    'the start directory, size, place, times and exit status. The arguments, --env',
    'values, output, screens, title, conversation and later directories stay in memory',
    'while the program runs. After a restart of the daemon, a wake asks before it runs',
    'the command without its arguments. Files that you drop onto it are on disk until',
    'it ends. Your other programs can see its arguments while it runs (ps).',
  ],
  example: [
    'holdfast new --name api --cwd ~/api --env PORT=3000 -- npm run dev',
    'holdfast new --attach -- claude',
    'holdfast new --beside api --where bottom',
    'holdfast new --worktree fix/login -- claude',
  ],
  run: async (cli, input) => {
    const attach = input.flag('attach')
    if (attach && cli.stdin.isTTY !== true) return usage('--attach needs a terminal as standard input')
    const env = parseEnv(input.list('env'), cli.env)
    if (!env.ok) return env
    const typedSize = input.text('size')
    const size = typedSize === undefined ? undefined : parseSize(typedSize)
    if (size?.ok === false) return size
    const directory = parseDirectory(cli, input.text('cwd') ?? '.')
    if (!directory.ok) return directory
    const beside = parseBeside(input)
    if (!beside.ok) return beside
    const branch = input.text('worktree')
    const cwd = branch === undefined ? directory : await worktreeFor(cli, directory.value, branch)
    if (!cwd.ok) return cwd
    const [command, ...args] = input.operands
    const ours = attach && cli.stdout.isTTY === true ? { cols: cli.stdout.columns, rows: cli.stdout.rows } : undefined
    const made = await cli.ask('terminal.new', {
      cwd: cwd.value,
      env: env.value,
      inherited: inheritedEnv(cli.env),
      args,
      ...given({
        command,
        name: input.text('name'),
        workspace: input.text('workspace'),
        beside: beside.value,
        size: size?.value ?? ours,
        private: input.flag('private') || undefined,
        onRestore: chosen(input.text('restore'), ON_RESTORE),
        backend: chosen(input.text('backend'), BACKENDS),
        may: chosen(input.text('may'), PROGRAM_GRANTS),
      }),
    })
    if (!made.ok && branch !== undefined) cli.complain(`holdfast: the worktree is at ${cwd.value}`)
    if (!made.ok) return made
    const terminal = made.value.result
    if (attach) return await (await import('../attach/attach.ts')).attach(terminal.id, cli)
    return await print(cli, terminal, ({ id }) => id)
  },
}

/** The existing worktree of the branch, or a new one. */
async function worktreeFor(cli: Cli, directory: string, branch: string): Promise<Result<string>> {
  const shown = await cli.ask('repository.show', { path: directory })
  if (!shown.ok) return shown
  const repository = shown.value.result
  const known = repository?.worktrees.find(
    ({ path, branch: other, isHalfMade }) => other === branch && !isHalfMade && path !== repository.root,
  )
  if (known !== undefined) return done(known.path)
  const made = await cli.ask('repository.addWorktree', { repository: directory, branch })
  return made.ok ? done(made.value.result.path) : made
}
