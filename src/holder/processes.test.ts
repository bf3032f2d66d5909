import { describe, expect, it } from 'vitest'
import { atTerminals, type ProcessInfo, parseProcStat, parsePs, sessionOf, systemProcesses, treeOf } from './processes.ts'

const info = (pid: number, parent: number, session: string, hasTerminal = true): ProcessInfo => ({
  pid,
  parent,
  group: pid,
  session,
  hasTerminal,
  foregroundGroup: 0,
  start: '1',
  isStopped: false,
  name: 'x',
})

describe('processes', () => {
  it('are read from /proc, whatever they are called', () => {
    const line = '4321 (a) (b c) T 100 4320 99 34816 4330 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200'
    expect(parseProcStat(line)).toEqual({
      pid: 4321,
      parent: 100,
      group: 4320,
      session: '99',
      hasTerminal: true,
      foregroundGroup: 4330,
      start: '987654',
      isStopped: true,
      name: 'a) (b c',
    })
    expect(parseProcStat('')).toBeNull()
  })

  it('that have ended and are only still listed are gone', () => {
    const ended = (state: string) => `4321 (node) ${state} 100 4320 99 34816 4330 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200`
    expect(['S', 'Z', 'X'].map((state) => parseProcStat(ended(state)) === null)).toEqual([false, true, true])
    expect(parsePs('  77 501 77 0 ?? Z Mon Nov  2 01:02:03 2026 (node)\n')).toEqual([])
  })

  it('are read from ps', () => {
    const text =
      '  501   1   501   502 ttys003  Ss+  Sun Nov 15 21:49:17 2026     /bin/zsh\n  77 501 77 0 ?? T Mon Nov  2 01:02:03 2026 my program\n'
    expect(parsePs(text)).toEqual([
      {
        pid: 501,
        parent: 1,
        group: 501,
        session: 'ttys003',
        hasTerminal: true,
        foregroundGroup: 502,
        start: 'Sun Nov 15 21:49:17 2026',
        isStopped: false,
        name: 'zsh',
      },
      {
        pid: 77,
        parent: 501,
        group: 77,
        session: 'none of 77',
        hasTerminal: false,
        foregroundGroup: 0,
        start: 'Mon Nov 2 01:02:03 2026',
        isStopped: true,
        name: 'my program',
      },
    ])
  })

  it('of a tree are the descendants and the whole session, never the first process nor ourselves; who has no terminal is not asked to leave', () => {
    const all = [
      info(1, 0, '1'),
      info(10, process.pid, '10'),
      info(11, 10, '10'),
      info(12, 11, '12'), // a session of its own, but a descendant
      info(13, 1, '10'), // its parent has gone, but the session is ours
      info(14, 13, '14', false),
      info(20, 1, '20'),
      info(process.pid, 1, '10'),
    ]
    expect(
      treeOf(all, 10)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([10, 11, 12, 13, 14])
    const pids = (some: readonly ProcessInfo[]) => some.map(({ pid }) => pid).sort()
    expect(pids(sessionOf(all, 10))).toEqual([10, 11, 13])
    expect(pids(atTerminals(all, 10))).toEqual([10, 11, 12, 13])
    expect(treeOf([info(20, 1, '20')], 10)).toEqual([])
  })

  it('can be asked about ourselves', async () => {
    const processes = systemProcesses()
    const self = await processes.find(process.pid)
    expect(self?.parent).toBe(process.ppid)
    expect(self?.start).toBe(processes.startOf(process.pid))
    expect((await processes.list()).some(({ pid }) => pid === process.pid)).toBe(true)
    expect(await processes.find(2 ** 30)).toBeNull()
  })
})
