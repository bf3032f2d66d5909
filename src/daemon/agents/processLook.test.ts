import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { recognise } from '../../agents/recognise.ts'
import { linuxLook, type ProcFiles, systemProcFiles } from './linuxLook.ts'
import { macLook, type RunTool } from './macLook.ts'
import type { ProcessLook, ProcessName, Sight } from './processLook.ts'
import { systemLook } from './systemLook.ts'

/**
 * One scene on both systems, under the same pids. 500: a shell in which an agent converses (510), whose tool (520) has a session of
 * its own. 600: the same through `sh -c` (610, 611). 700: an idle shell with an agent that has ended (710). 800: a pipeline
 * whose first program, after which its group (810) is named, has ended.
 */
const fixture = (name: string): string => readFileSync(new URL(`../../../test/fixtures/processes/${name}`, import.meta.url), 'utf8')

type Recorded = { readonly files: Readonly<Record<string, string>>; readonly links: Readonly<Record<string, string>> }

function recordedProc({ files, links }: Recorded): ProcFiles {
  const paths = [...Object.keys(files), ...Object.keys(links)]
  return {
    read: (path) => files[path] ?? null,
    link: (path) => links[path] ?? null,
    list: (path) => {
      const begin = path === '' ? '' : `${path}/`
      return [...new Set(paths.filter((each) => each.startsWith(begin)).map((each) => each.slice(begin.length).split('/')[0] ?? ''))]
    },
  }
}

const linux = JSON.parse(fixture('linux.json')) as Recorded
/** Kernels that are built without the list of children. */
const childless: Recorded = {
  ...linux,
  files: Object.fromEntries(Object.entries(linux.files).map(([path, text]) => [path.replace(/children$/, 'comm'), text])),
}

const recordedTools: RunTool = (tool, args) => {
  const line = [tool, ...args].join(' ')
  if (tool === 'lsof') return Promise.resolve(fixture(args.includes('cwd') ? 'mac-lsof-cwd.txt' : 'mac-lsof.txt'))
  if (line.includes('-axww')) return Promise.resolve(fixture('mac-ps.txt'))
  if (line.includes('-Eww')) return Promise.resolve(fixture('mac-ps-environment.txt'))
  const pids = new Set((args.at(-1) ?? '').split(','))
  const lines = fixture('mac-ps-command.txt').split('\n')
  return Promise.resolve(lines.filter((each) => pids.has(each.trim().split(' ')[0] ?? '')).join('\n'))
}

const implementations: readonly (readonly [string, () => ProcessLook])[] = [
  ['Linux', () => linuxLook(recordedProc(linux))],
  ['Linux without lists of children', () => linuxLook(recordedProc(childless))],
  ['macOS', () => macLook(recordedTools)],
]

describe.each(implementations)('%s', (_, make) => {
  const look = async (): Promise<Sight> => await make().begin()
  const nameOf = async (sight: Sight, pid: number): Promise<ProcessName> => {
    const { start } = (await sight.find(pid))!
    return { pid, start }
  }

  test('tells who has the keyboard of each terminal', async () => {
    const sight = await look()
    const keyboards = await Promise.all([500, 600, 700].map(async (pid) => sight.keyboardOf(await nameOf(sight, pid))))
    expect(keyboards.map((keyboard) => `${keyboard?.group} ${keyboard?.leader.name}`)).toEqual(['510 node', '610 sh', '700 bash'])
  })

  test('knows a group whose first program has ended by who is left of it', async () => {
    const sight = await look()
    expect(sight.keyboardOf(await nameOf(sight, 800))).toMatchObject({ group: 810, leader: { pid: 811, name: 'sleep' } })
  })

  test('sees nothing where another process has the pid of the program now', async () => {
    expect((await look()).keyboardOf({ pid: 500, start: 'another' })).toBeNull()
  })

  test('lists the program, everybody below it, and nobody else', async () => {
    const sight = await look()
    const pids = async (root: number, group: number) =>
      (await sight.processesOf(await nameOf(sight, root), group)).map(({ pid }) => pid).toSorted()
    expect([await pids(500, 510), await pids(600, 610), await pids(800, 810)]).toEqual([
      [500, 510, 520],
      [600, 610, 611],
      [800, 811],
    ])
  })

  test('tells what each process is', async () => {
    const sight = await look()
    expect(await sight.find(510)).toMatchObject({
      parent: 500,
      group: 510,
      name: 'node',
      argv: [expect.stringContaining('node'), '/home/mia/claude', '--model', 'opus'],
    })
    const [shell, agent, tool] = await Promise.all([500, 510, 520].map((pid) => sight.find(pid)))
    expect(agent?.executable).toMatch(/^\/.*node$/)
    expect([agent?.session === shell?.session, tool?.session === shell?.session]).toEqual([true, false])
  })

  test('an agent is recognised in what it tells, also below a wrapper', async () => {
    const sight = await look()
    const found = async (root: number, group: number) =>
      recognise(await sight.processesOf(await nameOf(sight, root), group), group, root, AGENTS)
    expect(await found(500, 510)).toMatchObject({ agent: { id: 'claude' }, process: { pid: 510 } })
    expect(await found(600, 610)).toMatchObject({ agent: { id: 'claude' }, process: { pid: 611 } })
    expect(await found(700, 700)).toBeNull()
  })

  test('a process that has ended and waits for its parent is gone', async () => {
    const sight = await look()
    expect(await sight.find(710)).toBeNull()
    const shell = await nameOf(sight, 700)
    expect([sight.isThere(shell), sight.isThere({ ...shell, pid: 710 }), sight.isThere({ ...shell, start: 'another' })]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('tells where a process is, the variables that are asked for, and what it has open', async () => {
    const sight = await look()
    expect(await sight.cwdOf(510)).toBe('/home/mia/project')
    const names = ['CLAUDE_CONFIG_DIR', 'HOME', 'CODEX_HOME']
    expect(await sight.environmentOf(510, names)).toEqual({ CLAUDE_CONFIG_DIR: '/home/mia/.claude', HOME: '/home/mia' })
    expect(await sight.openFilesOf([510])).toContain('/home/mia/.claude/projects/-home-mia-project/9f3a.jsonl')
  })

  test('tells when a process started, in ms', async () => {
    const sight = await look()
    const [shell, agent] = [sight.startedAt(await nameOf(sight, 500)), sight.startedAt(await nameOf(sight, 510))]
    expect(agent - shell).toBe(1_000)
    expect(new Date(agent).getUTCFullYear()).toBe(2026)
  })
})

test('where ps tells nothing at all, nobody is gone', async () => {
  const sight = await macLook(() => Promise.resolve('')).begin()
  expect(sight.isThere({ pid: 510, start: 'whenever' })).toBe(true)
  expect(sight.keyboardOf({ pid: 510, start: 'whenever' })).toBeNull()
})

test('on macOS one look costs one ps, and the arguments of a process are asked for once', async () => {
  const asked: string[] = []
  const look = macLook((tool, args) => {
    asked.push([tool, ...args].join(' '))
    return recordedTools(tool, args)
  })
  for (let times = 0; times < 3; times++) {
    const sight = await look.begin()
    for (const [pid, start] of [
      [500, 'Mon Nov 16 09:52:03 2026'],
      [600, 'Mon Nov 16 09:52:06 2026'],
    ] as const) {
      const root = { pid, start }
      await sight.processesOf(root, sight.keyboardOf(root)!.group)
    }
  }
  expect(asked.filter((line) => line.includes('-axww'))).toHaveLength(3)
  expect(asked.filter((line) => line.includes('command='))).toHaveLength(2)
})

test('this system tells what a program of ours is, and that it has ended', async () => {
  const child = spawn('sleep', ['300'], { cwd: tmpdir(), env: { ...process.env, CLAUDE_CONFIG_DIR: '/elsewhere' } })
  const pid = child.pid!
  const begun = Date.now()
  await until(async () => (await (await systemLook().begin()).find(pid))?.argv[1] === '300', { what: 'the program to run' })
  const sight = await systemLook().begin()
  const found = (await sight.find(pid))!
  expect(found).toMatchObject({ parent: process.pid, name: 'sleep', argv: ['sleep', '300'] })
  expect(Math.abs(sight.startedAt(found) - begun)).toBeLessThan(3_000)
  expect(await sight.environmentOf(pid, ['CLAUDE_CONFIG_DIR'])).toEqual({ CLAUDE_CONFIG_DIR: '/elsewhere' })
  expect(sight.isThere(found)).toBe(true)
  child.kill('SIGKILL')
  await until(async () => !(await systemLook().begin()).isThere(found), { what: 'it to be gone' })
})

test.runIf(process.platform === 'linux')('looking at one process reads three small files, and one for the keyboard', async () => {
  const read: string[] = []
  const counting: ProcFiles = {
    ...systemProcFiles,
    read: (path) => {
      read.push(path)
      return systemProcFiles.read(path)
    },
  }
  const look = linuxLook(counting)
  const start = (await (await look.begin()).find(process.pid))!.start
  read.length = 0
  ;(await look.begin()).keyboardOf({ pid: process.pid, start })
  expect(read.filter((path) => path === `${process.pid}/stat`)).toHaveLength(1)
  expect(read.length).toBeLessThanOrEqual(2)
})
