import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, it } from 'vitest'
import { differences } from '../../workspace/wrapper/confinement.ts'
import { linuxLook, type ProcFiles, systemProcFiles } from './linuxLook.ts'

const procOf = (files: Readonly<Record<string, string>>): ProcFiles => ({
  read: (path) => files[path] ?? null,
  link: (path) => files[path] ?? null,
  list: () => [],
})

it('a process in a sandbox differs from its holder by its namespaces, and has a number of its own in there', async () => {
  const sight = await linuxLook(
    procOf({
      '7/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t7\nCapBnd:\t00ff\nNoNewPrivs:\t0\nSeccomp:\t0\n',
      ...{ '7/ns/mnt': 'mnt:[1]', '7/ns/net': 'net:[1]', '7/root': '/', '7/attr/current': 'unconfined\n' },
      '9/status': 'Name:\tclaude\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t9\t2\nCapBnd:\t0000\nNoNewPrivs:\t1\nSeccomp:\t0\n',
      ...{ '9/ns/mnt': 'mnt:[2]', '9/ns/net': 'net:[1]', '9/root': '/', '9/attr/current': 'by-its-path (unconfined)\n' },
    }),
  ).begin()
  const [holder, agent] = [sight.confinementOf(7), sight.confinementOf(9)]
  expect(differences(agent, holder)).toEqual({ places: ['mnt namespace'], rights: ['CapBnd', 'NoNewPrivs'] })
  expect(differences(holder, holder)).toEqual({ places: [], rights: [] })
  expect([sight.innerPidOf(7), sight.innerPidOf(9), sight.innerPidOf(11)]).toEqual([null, 2, null])
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
