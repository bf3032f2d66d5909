/**
 * Processes as macOS tells them: one `ps` for all terminals per look, and more of `ps` and `lsof` only about processes that
 * somebody wants to know more of. What was learned of a process is kept as long as it lives.
 */
import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import type { ProcessSight, SelfName } from '../../agents/agent.ts'
import { PS_COLUMNS, psRows } from '../../holder/processes.ts'
import { grouped, type Keyboard, type ProcessLook, type ProcessName, type Sight, treeBelow } from './processLook.ts'

/** What a tool prints; empty where it fails, as `ps` and `lsof` do when they find nothing. */
export type RunTool = (tool: 'ps' | 'lsof', args: readonly string[]) => Promise<string>

const TOOL_OPTIONS = {
  env: { LC_ALL: 'C', PATH: '/bin:/usr/bin:/usr/sbin' },
  encoding: 'utf8',
  maxBuffer: 16 << 20,
  timeout: 5_000,
} as const

export const runTool: RunTool = (tool, args) =>
  new Promise((resolve) => execFile(tool, args, TOOL_OPTIONS, (_error, stdout) => resolve(stdout)))

type MacProcess = Omit<ProcessSight, 'argv'> & { readonly foregroundGroup: number; readonly path: string }

export function macLook(run: RunTool): ProcessLook {
  const argvs = new Map<string, readonly string[]>()
  return {
    begin: async () => {
      const sight = new MacSight(run, rowsIn(await run('ps', ['-axww', '-o', PS_COLUMNS])), argvs)
      for (const key of argvs.keys()) if (!sight.keys.has(key)) argvs.delete(key)
      return sight
    },
  }
}

const rowsIn = (text: string): readonly MacProcess[] =>
  psRows(text).map(({ path, isStopped: _, hasTerminal: __, ...info }) => ({
    ...info,
    path,
    name: basename(path).replace(/^-/, ''), // a login shell calls itself `-zsh`
    executable: path.startsWith('/') ? path : null,
  }))

/** A program that is replaced in its process has another path. */
const keyOf = ({ pid, start, path }: MacProcess): string => `${pid} ${start} ${path}`

class MacSight implements Sight {
  readonly hasWords = false
  private readonly byPid: ReadonlyMap<number, MacProcess>
  private readonly children: ReadonlyMap<number, readonly number[]>
  readonly keys: ReadonlySet<string>

  constructor(
    private readonly run: RunTool,
    everybody: readonly MacProcess[],
    private readonly argvs: Map<string, readonly string[]>,
  ) {
    this.byPid = new Map(everybody.map((each) => [each.pid, each]))
    this.children = grouped(everybody)
    this.keys = new Set(everybody.map(keyOf))
  }

  keyboardOf(root: ProcessName): Keyboard | null {
    const program = this.byPid.get(root.pid)
    if (program === undefined || program.start !== root.start || program.foregroundGroup <= 0) return null
    const group = program.foregroundGroup
    const leader = this.byPid.get(group) ?? [...this.byPid.values()].find((each) => each.group === group)
    return leader === undefined ? null : { group, leader: { pid: leader.pid, start: leader.start, name: leader.name } }
  }

  processesOf(root: ProcessName, group: number): Promise<readonly ProcessSight[]> {
    return this.sightsOf(treeBelow([root.pid, group], (pid) => this.children.get(pid) ?? []))
  }

  async find(pid: number): Promise<ProcessSight | null> {
    return (await this.sightsOf([pid]))[0] ?? null
  }

  /** Where `ps` told nothing at all, nobody was seen to be gone. */
  isThere({ pid, start }: ProcessName): boolean {
    return this.byPid.size === 0 || this.byPid.get(pid)?.start === start
  }

  startedAt({ start }: ProcessName): number {
    return Date.parse(start)
  }

  async cwdOf(pid: number): Promise<string | null> {
    return pathsIn(await this.run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']))[0] ?? null
  }

  /** `ps` prints the variables after the arguments, with blanks between: a value ends where another name begins. */
  async environmentOf(pid: number, names: readonly string[]): Promise<Readonly<Record<string, string>> | null> {
    const text = (await this.run('ps', ['-Eww', '-o', 'command=', '-p', String(pid)])).trim()
    if (text === '') return null
    const entries = names.flatMap((name) => {
      const [, value] = new RegExp(`(?:^|\\s)${name}=(.*?)(?=\\s[A-Za-z_][A-Za-z0-9_]*=|$)`, 's').exec(text) ?? []
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(entries)
  }

  confinementOf(): null {
    return null
  }

  selfNameOf(pid: number): SelfName | null {
    const found = this.byPid.get(pid)
    return found === undefined ? null : { pid, start: found.start, space: null, isInside: false }
  }

  async openFilesOf(pids: readonly number[]): Promise<readonly string[]> {
    if (pids.length === 0) return []
    return [...new Set(pathsIn(await this.run('lsof', ['-w', '-p', pids.join(), '-Fn'])))]
  }

  private async sightsOf(pids: readonly number[]): Promise<readonly ProcessSight[]> {
    const seen = pids.flatMap((pid) => this.byPid.get(pid) ?? [])
    await this.learnArguments(seen.filter((each) => !this.argvs.has(keyOf(each))))
    return seen.map(({ foregroundGroup: _, path, ...sight }) => ({
      ...sight,
      argv: this.argvs.get(keyOf({ ...sight, foregroundGroup: 0, path })) ?? [],
    }))
  }

  private async learnArguments(unknown: readonly MacProcess[]): Promise<void> {
    if (unknown.length === 0) return
    const text = await this.run('ps', ['-ww', '-o', 'pid=,command=', '-p', unknown.map(({ pid }) => pid).join()])
    const lines = new Map(text.split('\n').map((line) => [Number.parseInt(line, 10), line.replace(/^\s*\d+\s/, '')]))
    for (const each of unknown) {
      const line = lines.get(each.pid)
      if (line !== undefined) this.argvs.set(keyOf(each), wordsOf(line, each.path))
    }
  }
}

/** The words as far as they can be told: `ps` puts blanks between them, and does not say which blanks were within one. */
function wordsOf(line: string, path: string): readonly string[] {
  const begin = line.startsWith(`${path} `) ? [path] : []
  const rest = begin.length === 0 ? line : line.slice(path.length)
  return [...begin, ...rest.split(/\s+/).filter((word) => word !== '')]
}

/** `lsof -Fn` prints one field per line, `n` before a name. */
const pathsIn = (text: string): string[] => text.split('\n').flatMap((line) => (line.startsWith('n/') ? [line.slice(1)] : []))
