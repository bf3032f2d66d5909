import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { AgentLogEntry } from '../../src/wire/agentView.ts'
import type { TerminalView } from '../../src/wire/view.ts'
import { fixtureProgram, json, type Ran, run } from './holdfast.ts'
import { type Home, makeHomeWithOwnPort } from './home.ts'
import { until } from './milestone.ts'

/** A home in which `claude` is a program that keeps its files as the real one does, and shells that find it. */
export type Conversing = Home & {
  readonly project: string
  /** A shell in the project. */
  open(name: string, ...args: readonly string[]): Promise<void>
  type(name: string, text: string): Promise<Ran>
  view(name: string): Promise<TerminalView>
  /** Waits until the terminal looks like this. */
  seen(name: string, what: string, isMeant: (view: TerminalView) => boolean): Promise<TerminalView>
  log(name: string): Promise<readonly AgentLogEntry[]>
  /** The ids of all conversations that have a transcript. */
  conversations(): readonly string[]
  start(trip?: string): Promise<Ran>
}

const SHELL = ['--', '/bin/bash', '--norc', '--noprofile']

export function makeConversing(): Conversing {
  const home = makeHomeWithOwnPort()
  const folder = join(home.path, 'bin')
  const project = join(home.path, 'project')
  const config = join(home.path, 'claude-config')
  mkdirSync(folder)
  mkdirSync(project)
  copyFileSync(fixtureProgram('converses-like-claude.mjs'), join(folder, 'claude'))
  chmodSync(join(folder, 'claude'), 0o755)
  // As `npx` does it: a process of its own stays above the program.
  writeFileSync(join(folder, 'runs-it.mjs'), RUNS_IT)
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, CLAUDE_CONFIG_DIR: config }
  const view = async (name: string): Promise<TerminalView> => {
    const found = (await json<TerminalView[]>(home, ['ls'])).find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no terminal ${name}`)
    return found
  }
  return {
    ...home,
    project,
    open: async (name, ...args) => {
      const { PATH, CLAUDE_CONFIG_DIR } = env
      const set = ['--env', `PATH=${PATH}`, '--env', `CLAUDE_CONFIG_DIR=${CLAUDE_CONFIG_DIR}`]
      const made = await run(home, ['new', '--name', name, '--cwd', project, ...set, ...(args.length > 0 ? ['--', ...args] : SHELL)], {
        env,
      })
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
    conversations: () =>
      readdirSync(join(config, 'projects'), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
        path.endsWith('.jsonl') ? [path.replace(/^.*\/|\.jsonl$/g, '')] : [],
      ),
    start: (trip) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } }),
  }
}

const RUNS_IT = `import { spawnSync } from 'node:child_process'
const [program, ...args] = process.argv.slice(2)
process.exit(spawnSync(program, args, { stdio: 'inherit' }).status ?? 1)
`
