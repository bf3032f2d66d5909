import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { findOnPath } from '../../../scripts/tools.mjs'
import { until } from '../milestone.ts'
import type { AgentBench } from './agentBench.ts'
import { AgentTerminal } from './agentTerminal.ts'
import { type AgentName, installAgent } from './installAgents.ts'

/** Something that an agent is started in, and what of it can be seen in the agent's process. */
type Wrapping = {
  /** Makes what it needs and says how it is called with the agent's words: typed at a prompt, or as the terminal's command. */
  readonly call: (bench: AgentBench, words: readonly string[]) => Promise<Call> | Call
  readonly isAround: (pid: number, bench: AgentBench) => boolean
}

type Call = ({ readonly typed: string } | { readonly command: readonly string[] }) & {
  /** How the command line of a resume begins, up to the agent's arguments. */
  readonly resumed: string
}

const environ = (pid: number): readonly string[] => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
const has = (variable: string) => (pid: number) => environ(pid).includes(variable)

function script(bench: AgentBench, name: string, text: string): string {
  const path = join(bench.user.path, 'wrappers', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

/** In there a directory has a file that it has nowhere else, and processes have other numbers. */
function sandbox({ user }: AgentBench): readonly string[] {
  for (const folder of ['marked', 'inside']) mkdirSync(join(user.path, folder), { recursive: true })
  writeFileSync(join(user.path, 'marked', 'yes'), '')
  const binds = ['--dev-bind', '/', '/', '--proc', '/proc', '--ro-bind', join(user.path, 'marked'), join(user.path, 'inside')]
  return ['bwrap', ...binds, '--unshare-pid', '--unshare-ipc', '--']
}

const isInSandbox = (pid: number, { user }: AgentBench): boolean => {
  const path = join(user.path, 'inside', 'yes')
  const isElsewhere = ['mnt', 'pid', 'ipc'].every(
    (name) => readlinkSync(`/proc/${pid}/ns/${name}`) !== readlinkSync(`/proc/self/ns/${name}`),
  )
  return isElsewhere && existsSync(`/proc/${pid}/root${path}`) && !existsSync(path)
}

export const WRAPPINGS = {
  bwrap: {
    call: (bench, words) => ({ command: [...sandbox(bench), ...words], resumed: [...sandbox(bench), words[0]].join(' ') }),
    isAround: isInSandbox,
  },
  'a shell function': {
    call: (bench, words) => ({
      typed: `jailed() { ${sandbox(bench).join(' ')} "$@"; }; jailed ${words.join(' ')}`,
      resumed: [...sandbox(bench), words[0]].join(' '),
    }),
    isAround: isInSandbox,
  },
  env: {
    call: (_, words) => ({ command: ['env', 'WRAPPED=env', ...words], resumed: `env WRAPPED=env ${words[0]}` }),
    isAround: has('WRAPPED=env'),
  },
  'sh -c': {
    call: (_, words) => ({ command: ['sh', '-c', words.join(' ')], resumed: `sh -c '${words[0]}` }),
    isAround: () => true, // it becomes the agent: the command line of the resume tells
  },
  'docker run': {
    // A stand-in: the real one hands the agent to a daemon, so that no process of it is below the terminal.
    call: (bench, words) => {
      const path = script(bench, 'docker', '[ "$1 $2 $3 $4" = "run -it --rm image" ] || exit 64\nshift 4\nWRAPPED=docker "$@"')
      return { typed: `${path} run -it --rm image ${words.join(' ')}`, resumed: `/bin/sh ${path} run -it --rm image ${words[0]}` }
    },
    isAround: has('WRAPPED=docker'),
  },
  'nix run': {
    call: (bench, [program, ...args]) => {
      const path = script(
        bench,
        'nix',
        `[ "$1 $2" = "run flake:agent" ] || exit 64\nshift 2\n[ "$1" != -- ] || shift\nWRAPPED=nix ${program} "$@"`,
      )
      const behind = args.length === 0 ? '' : ` -- ${args.join(' ')}`
      return { typed: `${path} run flake:agent${behind}`, resumed: `/bin/sh ${path} run flake:agent --` }
    },
    isAround: has('WRAPPED=nix'),
  },
  npx: {
    call: async (bench, [program = '', ...args]) => {
      const installed = await installAgent(program as AgentName)
      if (!installed.ok) throw new Error(installed.reason)
      symlinkSync(dirname(dirname(installed.bin)), join(bench.project, 'node_modules'))
      return { typed: ['npx', program, ...args].join(' '), resumed: `npx ${program}` }
    },
    isAround: has('npm_command=exec'),
  },
  'script(1)': {
    call: (_, words) => ({
      typed: `script -q -c '${words.join(' ')}' /dev/null`,
      resumed: `script -q -c '${words[0]}`,
    }),
    isAround: (pid) =>
      [1, 2, 3].reduce<readonly number[]>((pids) => [...pids, parentOf(pids.at(-1) ?? 0)], [pid]).some((one) => nameOf(one) === 'script'),
  },
} as const satisfies Readonly<Record<string, Wrapping>>

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
const parentOf = (pid: number): number =>
  Number(
    readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  )

/** Everything as outside, but for the numbers of processes. */
export const NUMBERS_OF_ITS_OWN = ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--unshare-ipc', '--'] as const

/** Null where bubblewrap works here; else why not. */
export function sandboxObstacle(): string | null {
  if (findOnPath(['bwrap']) === null) return 'bubblewrap is not installed'
  const tried = spawnSync('bwrap', [...NUMBERS_OF_ITS_OWN, 'true'], { encoding: 'utf8' })
  return tried.status === 0 ? null : `the kernel does not let bubblewrap do its work here: ${tried.stderr.trim()}`
}

type Story = { readonly agent: AgentName; readonly args: readonly string[]; readonly name: string; readonly wakes: 1 | 2 }

/** Started in the wrapper, put to sleep and woken: the same conversation, inside the wrapper again. */
export async function resumesInside(bench: AgentBench, wrapping: Wrapping, { agent, args, name, wakes }: Story): Promise<void> {
  const { resumed, ...how } = await wrapping.call(bench, [agent, ...args])
  const terminal = await AgentTerminal.startWith(bench, agent, { name, ...how })
  const expectAround = async (): Promise<void> => {
    const pid = await until(async () => (await terminal.row()).agent?.pid, { what: `${name} to have an agent` })
    expect(wrapping.isAround(pid, bench), `${name} to be around the agent`).toBe(true)
  }
  expect(await terminal.turn(`ONE${name.toUpperCase()}`)).toMatchObject({ users: 1 })
  const conversation = await terminal.known()
  await expectAround()
  const turns = [
    { users: 2, mark: 'TWO' },
    { users: 3, mark: 'THREE' },
  ]
  for (const { users, mark } of turns.slice(0, wakes)) {
    await terminal.sleep()
    const { stdout } = await terminal.done('wake', name)
    expect(stdout.startsWith(`${name} resumed with ${resumed} `), stdout).toBe(true)
    expect(stdout).toContain(conversation)
    await terminal.ready()
    expect(await terminal.turn(`${mark}${name.toUpperCase()}`)).toMatchObject({ users })
    expect(await terminal.known()).toBe(conversation)
    await expectAround()
  }
}
