import type { AgentProcess, FileSight, Look, SelfName } from '../../src/agents/agent.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Files that are only told of, for objects of agents. */
export type Memory = {
  readonly files?: Readonly<Record<string, string>>
  /** When a file was written, in ms; START where it is not told. */
  readonly modified?: Readonly<Record<string, number>>
  readonly open?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly argv?: readonly string[]
  readonly pids?: readonly number[]
  /** As its processes name themselves; left out: by their pids, outside any sandbox. */
  readonly selves?: readonly SelfName[]
  readonly links?: Readonly<Record<string, string>>
  readonly query?: (sql: string, parameters: readonly (string | number)[], database: string) => Rows
}

export const START = Date.parse('2026-11-16T09:00:00Z')

export function memoryLook(memory: Memory): Look {
  const { files = {}, modified = {}, open = [], cwd = '/p/one', env = {}, argv = [], pids = [7], links = {}, query = () => [] } = memory
  const sight = (path: string): FileSight | null => {
    const isDirectory = Object.keys(files).some((name) => name.startsWith(`${path}/`))
    if (!isDirectory && files[path] === undefined) return null
    const time = modified[path] ?? START
    return { name: path.slice(path.lastIndexOf('/') + 1), path, isDirectory, size: files[path]?.length ?? 0, modified: time, born: time }
  }
  return {
    ...{ home: '/h', cwd, env, argv },
    process: processOf({ argv, pids, cwd, env, selves: memory.selves ?? pids.map(outside) }),
    readText: (path, { tail, head } = {}) => {
      const text = files[path] ?? null
      if (text === null || (tail === undefined && head === undefined)) return Promise.resolve(text)
      return Promise.resolve(tail === undefined ? text.slice(0, head) : text.slice(-tail))
    },
    list: (directory) => {
      const below = Object.keys(files).filter((path) => path.startsWith(`${directory}/`))
      const names = new Set(below.map((path) => path.slice(directory.length + 1).split('/')[0] ?? ''))
      return Promise.resolve([...names].flatMap((name) => sight(`${directory}/${name}`) ?? []))
    },
    stat: (path) => Promise.resolve(sight(path)),
    real: (path) => Promise.resolve(links[path] ?? path),
    query: (database, sql, parameters) => Promise.resolve(query(sql, parameters, database)),
    openFiles: () => Promise.resolve(open),
  }
}

const FIRST_START = '4264076'
const outside = (pid: number): SelfName => ({ pid, start: FIRST_START, space: '4026531836', isInside: false })

type Known = Pick<AgentProcess, 'pids' | 'cwd' | 'env' | 'selves'> & { readonly argv: readonly string[] }

const processOf = ({ argv, pids, cwd, env, selves }: Known): AgentProcess => ({
  agent: 'any',
  process: { pid: pids[0]!, start: FIRST_START, parent: 1, group: pids[0]!, session: '1', name: 'any', executable: null, argv },
  ...{ pids, selves, cwd, env },
  startedAt: START,
})
