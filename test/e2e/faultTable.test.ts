import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { list } from '../support/daemon.ts'
import { cellsOf, faultsPage, rowsIn, type Times } from '../support/faultPage.ts'
import { endsThread, fillUp, HOUR_MS, killTmux, movesClock, newestSegment, stopTmux, suspend, tmux } from '../support/faultStrikes.ts'
import { answers, type Where } from '../support/faults.ts'
import { run } from '../support/holdfast.ts'
import { until } from '../support/milestone.ts'
import { type Fault, tryFault } from '../support/tryFault.ts'

/** Every fault that a user may meet, brought about for real. The rows of docs/faults.md are these. */
const PAGE = fileURLToPath(new URL('../../docs/faults.md', import.meta.url))
/** `npm run faults` says so: the page is written then, and compared otherwise. */
const isWritten = process.env['FAULTS_WRITE'] === '1'

const FAULTS: readonly Fault[] = [
  {
    fault: 'the holder is stopped (SIGSTOP)',
    ...{ at: 'holder', states: ['verifying', 'dead', 'recovering'], terminal: 'live' },
    why: 'its holder is stopped; its program keeps running',
    done: 'it is continued (SIGCONT)',
    costs: 'nothing: the program’s output waits',
    strike: ({ holderPid }) => void process.kill(holderPid, 'SIGSTOP'),
  },
  {
    fault: 'the holder is killed (SIGKILL)',
    ...{ at: 'holder', states: ['dead'], terminal: 'lost' },
    why: 'its holder is gone, and its program with it',
    done: 'the terminal falls asleep with its last screen; nothing is started unasked',
    costs: 'the program; waking starts it again, and an agent resumes its conversation',
    strike: ({ holderPid }) => void process.kill(holderPid, 'SIGKILL'),
  },
  {
    fault: 'the socket of the holder is removed',
    ...{ at: 'holder', states: [], terminal: 'live' },
    why: 'its socket was gone and was restored',
    done: 'the holder creates a new one at the next health check',
    costs: 'nothing: existing connections continue',
    strike: ({ home, run: id }) => rmSync(`${home.path}/sockets/${id}.sock`),
    also: ({ home, run: id }) => expect(existsSync(`${home.path}/sockets/${id}.sock`)).toBe(true),
  },
  {
    fault: 'the log cannot be read',
    ...{ at: 'holder', states: [], terminal: 'live' },
    why: 'its log could not be read (it is gone) and was restored',
    done: 'the holder rewrites it from the file that it still has open',
    costs: 'nothing: not a byte of the history',
    strike(scene) {
      const segment = newestSegment(scene)
      rmSync(segment)
      symlinkSync('/nowhere', segment)
    },
    also: (scene) => expect(readFileSync(newestSegment(scene), 'latin1')).toContain('last words of struck'),
  },
  {
    fault: 'tmux is killed (SIGKILL)',
    ...{ backend: 'tmux', at: 'session', states: ['dead'], terminal: 'lost' },
    why: 'its session is gone, and its program with it',
    done: 'the terminals in it fall asleep with their last screens; nothing is started unasked',
    costs: 'the programs in it; waking starts another tmux for them',
    strike: killTmux,
  },
  {
    fault: 'tmux hangs (SIGSTOP)',
    ...{ backend: 'tmux', at: 'tmux', states: ['verifying', 'dead', 'recovering'], terminal: 'live' },
    why: 'tmux did not answer within 1 s; it is stopped; its programs keep running',
    done: 'it is continued (SIGCONT)',
    costs: 'nothing: the programs’ output waits',
    strike: stopTmux,
  },
  {
    fault: 'tmux is killed, and another one answers at its socket',
    ...{ backend: 'tmux', at: 'session', states: ['dead'], terminal: 'lost' },
    why: 'its session is gone, and its program with it',
    done: 'the terminals in it fall asleep with their last screens; programs in the other one keep running',
    costs: 'the programs of the first one; woken, they run in the other one',
    strike(scene, struck) {
      killTmux(scene)
      struck()
      tmux(scene.home, '-f', '/dev/null', 'new-session', '-d', '-s', 'stranger', 'sleep 300')
    },
    also({ home }) {
      expect(tmux(home, 'list-sessions').trim().split('\n')).toEqual([expect.any(String), expect.stringContaining('stranger')])
      tmux(home, 'kill-session', '-t', '=stranger')
    },
  },
  {
    fault: 'the socket of tmux is removed',
    ...{ backend: 'tmux', at: 'tmux', states: ['verifying', 'dead', 'recovering'], terminal: 'live' },
    why: 'its socket is gone; its programs keep running',
    done: 'tmux is asked for another one (SIGUSR1)',
    costs: 'nothing: its holder stays connected',
    strike: ({ home }) => rmSync(`${home.path}/sockets/tmux.sock`),
    also: ({ home }) => expect(tmux(home, 'list-sessions')).toMatch(/attached/),
  },
  {
    fault: 'the disk is full',
    ...{ at: 'disk', states: ['verifying', 'dead'], terminal: 'live', isOnSmallDisk: true },
    why: 'cannot write to disk: the disk is full',
    done: 'new terminals are refused, and `holdfast health` lists what is paused; logs stay in memory until there is room',
    costs: 'nothing, up to 4 MiB of output per terminal; what comes after that is marked as missing',
    from: 'there is room',
    strike: fillUp,
    async meanwhile({ home }) {
      const refused = await run(home.path, ['new', '--name', 'late', '--', 'sleep', '300'])
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The daemon is overloaded') })
      expect(await answers(home, 'struck', 'while it is full')).toBe(true)
    },
    relieve: ({ home }) => rmSync(join(home.path, 'ballast')),
    also: (scene) =>
      until(() => readFileSync(newestSegment(scene), 'latin1').includes('got while it is full'), { what: 'the log to go on' }),
  },
  {
    fault: 'the thread of the screens crashes',
    ...{ at: 'screens', states: ['dead'], terminal: 'live', ...endsThread('screens') },
    why: 'its thread ended and is being replaced',
    done: 'a new thread rebuilds the screens from snapshots and logs',
    costs: 'nothing: clients wait a moment',
  },
  {
    fault: 'the thread of the store crashes',
    ...{ at: 'store', states: ['dead', 'recovering'], terminal: 'live', ...endsThread('store') },
    why: 'its thread ended; nothing is saved',
    done: 'a new thread checks the database and opens it again; the daemon keeps running',
    costs: 'for a moment, changes are refused as a whole, and can be tried again',
    async meanwhile({ home }) {
      const { code } = await run(home.path, ['new', '--name', 'late', '--', 'sleep', '300'])
      expect((await list(home)).filter(({ name }) => name === 'late')).toHaveLength(code === 0 ? 1 : 0)
    },
  },
  {
    fault: 'the thread of the search index crashes',
    ...{ at: 'search', states: ['dead', 'recovering'], terminal: 'live', ...endsThread('search') },
    why: 'its thread ended; new output is not searchable',
    done: 'a new thread continues where the index ends',
    costs: 'nothing: new output is searchable a little later',
    also: ({ home }) => until(() => finds(home, 'got hello'), { what: 'new output to be found' }),
  },
  ...[
    { by: 'ahead', ms: 24 * HOUR_MS },
    { by: 'back', ms: -24 * HOUR_MS },
  ].map(
    ({ by, ms }): Fault => ({
      fault: `the clock is moved by a day, ${by}`,
      ...{ at: null, states: [], terminal: 'live', ...movesClock(ms) },
      why: 'the clock jumped',
      done: 'pending health checks are discarded; everything is checked again',
      costs: 'nothing',
    }),
  ),
  {
    fault: 'the machine is suspended for an hour (simulated: every process stopped, then continued with the clock an hour ahead)',
    ...{ at: null, states: [], terminal: 'live', ...movesClock(HOUR_MS) },
    why: 'the clock jumped',
    done: 'missed answers are not counted; everything is checked again',
    costs: 'nothing',
    strike: (scene) => suspend(scene, HOUR_MS),
  },
]

const finds = async (home: Where, text: string): Promise<boolean> => (await run(home.path, ['search', text])).stdout.includes(text)

const measured = new Map<Fault, Times>()

test.concurrent.for(FAULTS)('$fault', async (fault, { skip }) => {
  const times = await tryFault(fault)
  if (times === null) return skip('mounting a file system is not permitted here')
  measured.set(fault, times)
})

afterAll(() => {
  if (!isWritten) return
  const rows = FAULTS.flatMap((fault) => {
    const times = measured.get(fault)
    return times === undefined ? [] : [{ ...fault, times }]
  })
  if (rows.length < FAULTS.length) throw new Error('the page was not written: not every fault was tried, or handled as its row says')
  writeFileSync(PAGE, faultsPage(rows, new Date().toISOString().slice(0, 10)))
})

test.skipIf(isWritten)('the page in docs has exactly these rows', () => {
  expect(rowsIn(readFileSync(PAGE, 'utf8')), 'npm run faults writes it').toEqual(FAULTS.map(cellsOf))
})
