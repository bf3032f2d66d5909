import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, it } from 'vitest'
import { NUMBERS_OF_ITS_OWN, sandboxObstacle } from '../../../test/support/agents/wrapped.ts'
import { until } from '../../../test/support/milestone.ts'
import { differences } from '../../workspace/wrapper/confinement.ts'
import { linuxLook, type ProcFiles, systemProcFiles } from './linuxLook.ts'

const procOf = (files: Readonly<Record<string, string>>): ProcFiles => ({
  read: (path) => files[path] ?? null,
  link: (path) => files[path] ?? null,
  list: () => [],
})

const statOf = (pid: number, start: string): string => `${pid} (x) S 1 ${pid} ${pid} 0 -1 ${'0 '.repeat(13)}${start} 0`

it('a process in a sandbox differs from its holder by its namespaces, and has a number of its own in there', async () => {
  const sight = await linuxLook(
    procOf({
      '7/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t7\nCapBnd:\t00ff\nNoNewPrivs:\t0\nSeccomp:\t0\n',
      ...{ '7/stat': statOf(7, '500'), '7/ns/pid': 'pid:[1]', '9/stat': statOf(9, '900'), '9/ns/pid': 'pid:[2]' },
      ...{ '7/ns/mnt': 'mnt:[1]', '7/ns/net': 'net:[1]', '7/root': '/', '7/attr/current': 'unconfined\n' },
      '9/status': 'Name:\tclaude\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t9\t2\nCapBnd:\t0000\nNoNewPrivs:\t1\nSeccomp:\t0\n',
      ...{ '9/ns/mnt': 'mnt:[2]', '9/ns/net': 'net:[1]', '9/root': '/', '9/attr/current': 'by-its-path (unconfined)\n' },
    }),
  ).begin()
  const [holder, agent] = [sight.confinementOf(7), sight.confinementOf(9)]
  expect(differences(agent, holder)).toEqual({ places: ['mnt namespace', 'pid namespace'], rights: ['CapBnd', 'NoNewPrivs'] })
  expect(differences(holder, holder)).toEqual({ places: [], rights: [] })
  expect([7, 9, 11].map((pid) => sight.selfNameOf(pid))).toEqual([
    { pid: 7, start: '500', space: '1', isInside: false },
    { pid: 2, start: '900', space: '2', isInside: true },
    null,
  ])
  // Of one that cannot be seen nothing is said.
  expect(sight.confinementOf(11)).toBeNull()
  expect(differences(null, holder)).toEqual({ places: [], rights: [] })
})

it.skipIf(process.platform !== 'linux')(
  'a real child of a real process is confined as its parent is, and one that gave up privileges is not',
  async () => {
    const plain = spawn('sleep', ['30'])
    const fewer = spawn('setpriv', ['--no-new-privs', 'sleep', '30'])
    try {
      await Promise.all([once(plain, 'spawn'), once(fewer, 'spawn')])
      const own = async () => await linuxLook(systemProcFiles).begin()
      await expect.poll(async () => (await (await own()).find(fewer.pid ?? 0))?.argv[0]).toBe('sleep')
      const sight = await own()
      const base = sight.confinementOf(process.pid)
      expect(differences(sight.confinementOf(plain.pid ?? 0), base)).toEqual({ places: [], rights: [] })
      expect(differences(sight.confinementOf(fewer.pid ?? 0), base)).toEqual({ places: [], rights: ['NoNewPrivs'] })
    } finally {
      plain.kill('SIGKILL')
      fewer.kill('SIGKILL')
    }
  },
)

it.skipIf(sandboxObstacle() !== null)('two real sandboxes share numbers, and yet each process has a name of its own', async () => {
  const run = () => spawn('bwrap', [...NUMBERS_OF_ITS_OWN, 'sh', '-c', 'sleep 30; :'], { detached: true })
  const sandboxes = [run(), run()]
  try {
    const named = async (pid: number) => {
      const sight = await linuxLook(systemProcFiles).begin()
      const sleep = (await sight.processesOf({ pid, start: '' }, pid)).find(({ argv }) => argv[0] === 'sleep')
      return sleep === undefined ? undefined : { ...sight.selfNameOf(sleep.pid), outside: sleep }
    }
    const [one, other] = await Promise.all(sandboxes.map(({ pid = 0 }) => until(() => named(pid), { what: 'a program in the sandbox' })))
    expect(one).toMatchObject({ isInside: true, start: one?.outside.start, space: expect.stringMatching(/^\d+$/) })
    expect(one?.pid).toBe(other?.pid)
    expect(one?.pid).not.toBe(one?.outside.pid)
    expect(one?.space).not.toBe(other?.space)
  } finally {
    for (const { pid = 0 } of sandboxes) process.kill(-pid, 'SIGKILL')
  }
})
