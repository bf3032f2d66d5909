import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import type { ProcessInfo } from '../../holder/processes.ts'
import type { Sessions } from '../../tmux/server.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { pathsOf } from '../../wire/paths.ts'
import { TmuxWatch, type TmuxWorld } from './tmuxWatch.ts'
import { answered, gone, silent } from './watched.ts'

const SERVER = 2 ** 30
const PROGRAM = SERVER + 1
const LOOK = { withinMs: 10 }
const run = runId(1)
const SILENT: Sessions = { kind: 'unknown', why: 'tmux did not answer within 1 s' }
const WELL: Sessions = {
  kind: 'known',
  sessions: [
    { run, session: 's', terminal: terminalId(1), startedAt: 1, createdAt: 1, pid: PROGRAM, isDead: false, size: { cols: 80, rows: 24 } },
  ],
}

const NONE: readonly Sessions[] = [{ kind: 'known', sessions: [] }]

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 't-'))
})
afterEach(() => {
  rmSync(home, { recursive: true })
  vi.restoreAllMocks()
})

/** A tmux that says one thing after the other; the last one again and again. */
type Setup = { readonly says: readonly Sessions[]; readonly isStopped?: boolean; readonly isProgramThere?: boolean }

function tmux({ says, isStopped = false, isProgramThere = true }: Setup) {
  const paths = { ...pathsOf({ home, uid: 0, temporary: home, hash: () => '' }), tmuxSocket: join(home, 'socket') }
  writeFileSync(paths.tmuxSocket, '')
  const answers = [...says]
  const process_ = (pid: number, over: Partial<ProcessInfo>) =>
    ({ pid, start: `start of ${pid}`, isStopped: false, ...over }) as ProcessInfo
  const card = { pid: PROGRAM, pidStart: isProgramThere ? `start of ${PROGRAM}` : 'another time' } as HolderCard
  const found = [process_(PROGRAM, { parent: SERVER }), process_(SERVER, { name: 'tmux: server', isStopped })]
  const lookAgain = vi.fn(async () => undefined)
  const world = {
    paths,
    holders: { lookAgain, card: () => card, isUnattached: () => false, status: () => null } as unknown as TmuxWorld['holders'],
    cards: () => [card],
    processes: { find: async (pid: number) => found.find((each) => each.pid === pid) ?? null },
    list: async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? SILENT,
  }
  const watch = new TmuxWatch(world)
  return { server: watch.server(), session: watch.session(run, { terminal: terminalId(1), name: () => 'api' }), lookAgain }
}

it('is well with its sessions, and gone without any', async () => {
  expect(await tmux({ says: [WELL] }).server.check(LOOK)).toEqual(answered())
  expect(await tmux({ says: NONE, isProgramThere: false }).server.check(LOOK)).toEqual(gone('it is gone, and its programs with it'))
})

it('a session that is missing is gone with its program; where that lives, only another tmux answers in the place of its own', async () => {
  const lost = tmux({ says: NONE, isProgramThere: false })
  expect(await lost.session.check(LOOK)).toEqual(gone('its session is gone, and its program with it'))
  expect(lost.lookAgain).toHaveBeenCalledWith(run)
  const elsewhere = tmux({ says: NONE })
  const other = answered('another tmux answers at its socket; programs in the first one keep running')
  expect([await elsewhere.session.check(LOOK), await elsewhere.server.check(LOOK)]).toEqual([other, other])
  expect(elsewhere.lookAgain).not.toHaveBeenCalled()
})

it('whose socket is gone is silent, since its programs run on, and is asked for another one', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  const cleaned = tmux({ says: NONE })
  rmSync(join(home, 'socket'))
  const unheard = silent('its socket is gone; its programs keep running')
  expect([await cleaned.session.check(LOOK), await cleaned.server.check(LOOK)]).toEqual([unheard, unheard])
  expect(cleaned.lookAgain).not.toHaveBeenCalled()
  await cleaned.server.recover?.(1)
  expect(kill.mock.calls).toEqual([[SERVER, 'SIGUSR1']])
})

it('that does not answer has taken nothing along', async () => {
  const hung = tmux({ says: [SILENT] })
  expect(await hung.server.check(LOOK)).toEqual(silent('tmux did not answer within 1 s; its programs keep running'))
  expect(await hung.session.check(LOOK)).toEqual(silent('tmux did not answer within 1 s; its program keeps running'))
  expect(hung.lookAgain).not.toHaveBeenCalled()
  expect(await tmux({ says: [SILENT], isStopped: true }).server.check(LOOK)).toEqual(
    silent('tmux did not answer within 1 s; it is stopped; its programs keep running'),
  )
})

it('is made to go on when it was stopped; who finds that done already finds it well', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  await tmux({ says: [SILENT], isStopped: true }).server.recover?.(1)
  expect(kill.mock.calls).toEqual([[SERVER, 'SIGCONT']])
  await tmux({ says: [WELL] }).session.recover?.(1)
  await expect(tmux({ says: [SILENT] }).session.recover?.(1)).rejects.toThrow('it is running, but does not answer')
  expect(kill).toHaveBeenCalledTimes(1)
})
