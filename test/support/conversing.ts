import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { AgentLogEntry } from '../../src/wire/commands/agent.ts'
import { views } from './daemon.ts'
import { fixtureProgram, json, type Ran, run } from './holdfast.ts'
import { type Home, makeHomeWithOwnPort } from './home.ts'
import { until } from './milestone.ts'
import type { TerminalRow } from './terminalView.ts'

/** A home in which `claude` is a program that keeps its files as the real one does, and shells that find it. */
export type Conversing = Home & {
  /** A shell, or another program, in a project of its own or in that of another terminal. */
  open(name: string, options?: { readonly project?: string; readonly command?: readonly string[] }): Promise<void>
  type(name: string, text: string): Promise<Ran>
  view(name: string): Promise<TerminalRow>
  /** Waits until the terminal looks like this. */
  seen(name: string, what: string, isMeant: (view: TerminalRow) => boolean): Promise<TerminalRow>
  log(name: string): Promise<readonly AgentLogEntry[]>
  /** The ids of all conversations of a project that have a transcript. */
  conversations(project: string): readonly string[]
  start(trip?: string): Promise<Ran>
}

const SHELL = ['/bin/bash', '--norc', '--noprofile']

export function makeConversing(): Conversing {
  const home = makeHomeWithOwnPort()
  const folder = join(home.path, 'bin')
  const config = join(home.path, 'claude-config')
  mkdirSync(folder)
  copyFileSync(fixtureProgram('converses-like-claude.mjs'), join(folder, 'claude'))
  chmodSync(join(folder, 'claude'), 0o755)
  // As `npx` does it: a process of its own stays above the program.
  writeFileSync(join(folder, 'runs-it.mjs'), RUNS_IT)
  // Agents are resumed by a login shell. Killed in the start files of whoever runs the tests, it may leave a lock there.
  const user = join(home.path, 'user')
  mkdirSync(user)
  const env = { HOME: user, PATH: `${folder}:${process.env['PATH'] ?? ''}`, CLAUDE_CONFIG_DIR: config }
  const view = async (name: string): Promise<TerminalRow> => {
    const found = (await views(home)).find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no terminal ${name}`)
    return found
  }
  return {
    ...home,
    open: async (name, { project = name, command = SHELL } = {}) => {
      const cwd = join(home.path, project)
      mkdirSync(cwd, { recursive: true })
      const set = Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`])
      const made = await run(home, ['new', '--name', name, '--cwd', cwd, ...set, '--', ...command], { env })
      if (made.code !== 0) throw new Error(made.stderr)
    },
    type: (name, text) => run(home, ['send', name, text, '--enter']),
    view,
    seen: (name, what, isMeant) =>
      until(
        async () => {
          const now = await view(name)
          return isMeant(now) && now
        },
        { what: `${name} to have ${what}`, timeoutMs: 20_000 },
      ),
    log: (name) => json<AgentLogEntry[]>(home, ['agent', 'log', name]),
    conversations: (project) => {
      const files = readdirSync(join(config, 'projects'), { recursive: true, encoding: 'utf8' })
      const own = files.filter((path) => path.split('/')[0]?.endsWith(`-${project}`) && path.endsWith('.jsonl'))
      return own.map((path) => path.replace(/^.*\/|\.jsonl$/g, ''))
    },
    start: (trip) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } }),
  }
}

const RUNS_IT = `import { spawnSync } from 'node:child_process'
const [program, ...args] = process.argv.slice(2)
process.exit(spawnSync(program, args, { stdio: 'inherit' }).status ?? 1)
`
