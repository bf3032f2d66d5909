import { isAbsolute, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { ON_RESTORE } from '../../workspace/terminal.ts'
import { PLACES, parseBeside } from '../beside.ts'
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
    { flags: '--workspace <workspace>', help: 'where it is shown (the first workspace)' },
    { flags: '--beside <terminal>', help: 'the terminal it is shown beside (where there is most room)' },
    { flags: '--where <place>', help: 'at which side of that one, or "center" for a tab with it (right)', choices: PLACES },
    { flags: '--size <colsxrows>', help: 'its size until somebody looks at it' },
    { flags: '--env <name=value>', help: 'a variable for it; NAME alone hands over yours; repeatable', repeats: true },
    { flags: '--private', help: 'nothing it prints is kept on disk or can be searched; once it has ended, it is gone' },
    { flags: '--restore <when>', help: 'after a crash: wake it, let it sleep, or as the policy says', choices: ON_RESTORE },
    { flags: '--attach', help: 'attach to it at once' },
    JSON_OPTION,
  ],
  example: [
    'holdfast new --name api --cwd ~/api --env PORT=3000 -- npm run dev',
    'holdfast new --attach -- claude',
    'holdfast new --beside api --where bottom',
  ],
  run: async (input, host) => {
    const attach = input.flag('attach')
    if (attach && host.stdin.isTTY !== true) return usage('--attach needs a terminal on its input')
    const env = parseEnv(input.list('env'), host.env)
    if (!env.ok) return env
    const typedSize = input.text('size')
    const size = typedSize === undefined ? null : parseSize(typedSize)
    if (size?.ok === false) return size
    const cwd = directoryOf(host, input.text('cwd') ?? '.')
    if (!cwd.ok) return cwd
    const onRestore = parseChoice(input.text('restore'), ON_RESTORE, '--restore')
    if (!onRestore.ok) return onRestore
    const beside = parseBeside(input)
    if (!beside.ok) return beside
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
    })
    if (!made.ok) return made
    const terminal = made.value.result
    if (attach) return await (await import('../attach/attach.ts')).attach(terminal.id, host)
    if (input.flag('json')) host.printJson(terminal)
    else host.print(terminal.id)
    return done(EXIT.done)
  },
}

/** Where we were started may be gone by now; that matters only to those who mean it. */
function directoryOf(host: Host, typed: string): Result<string> {
  if (isAbsolute(typed)) return done(resolve(typed))
  try {
    return done(resolve(host.cwd, typed))
  } catch {
    return refused(refusals.cwdMissing(host.env['PWD'] ?? typed))
  }
}
