import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import type { Processes, ProcessInfo } from '../../holder/processes.ts'
import type { HolderCard, HolderStatus } from '../../wire/holder.ts'
import { segmentName } from '../../wire/log.ts'
import type { Link } from '../../workspace/terminal/terminal.ts'
import { watchHolder } from './holderWatch.ts'
import { answered, gone, silent } from './watched.ts'

const HOLDER = 2 ** 30
const PROGRAM = HOLDER + 1
const process_ = (pid: number, over: Partial<ProcessInfo> = {}): ProcessInfo => ({
  ...{
    pid,
    parent: 1,
    group: pid,
    session: '1',
    hasTerminal: false,
    foregroundGroup: 0,
    start: `start of ${pid}`,
    isStopped: false,
    name: 'x',
  },
  ...over,
})

let folder: string
let socketPath: string
let segment: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'h-'))
  socketPath = join(folder, 'socket')
  segment = join(folder, 'run', segmentName(0))
  mkdirSync(join(folder, 'run'))
  for (const file of [socketPath, segment]) writeFileSync(file, '')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.restoreAllMocks()
})

type Setup = {
  readonly status?: Partial<HolderStatus> | null
  readonly running?: readonly ProcessInfo[]
  readonly link?: Link
  readonly damage?: readonly string[]
  /** Puts the socket and the log back when it is asked. */
  readonly minds?: boolean
}

function holder({ status = {}, running = [process_(HOLDER), process_(PROGRAM)], link = { kind: 'connected' }, damage = [], minds }: Setup) {
  const card = {
    socketPath,
    holderPid: HOLDER,
    holderStart: `start of ${HOLDER}`,
    pid: PROGRAM,
    pidStart: `start of ${PROGRAM}`,
  } as HolderCard
  const reconnect = vi.fn(async () => undefined)
  const ask = (): Promise<HolderStatus | null> => {
    if (minds === true) {
      writeFileSync(socketPath, '')
      rmSync(segment, { recursive: true, force: true })
      writeFileSync(segment, '')
    }
    return Promise.resolve(status === null ? null : ({ degraded: null, ...status } as HolderStatus))
  }
  const find = (pid: number) => Promise.resolve(running.find((info) => info.pid === pid) ?? null)
  const watched = watchHolder({
    holders: { ask, card: () => card, reconnect },
    ...{ run: runId(1), terminal: terminalId(1), logDirectory: join(folder, 'run'), name: () => 'api' },
    ...{ link: () => link, damage: () => damage, processes: { find } as unknown as Processes },
  })
  return { look: () => watched.check({ withinMs: 10 }), recover: () => watched.recover?.(1), reconnect }
}

describe('a holder that answers', () => {
  it('is well', async () => {
    expect(await holder({}).look()).toEqual(answered())
  })

  it('says what is wrong with its log', async () => {
    expect(await holder({ status: { degraded: 'the disk is full' } }).look()).toEqual(
      answered('its log is only in memory: the disk is full'),
    )
    expect(await holder({ damage: ['a part is gone'] }).look()).toEqual(answered('its log is damaged: a part is gone'))
  })

  it('has its log in its place, and puts it back when it is asked', async () => {
    rmSync(segment)
    expect(await holder({}).look()).toEqual(answered('its log cannot be read: it is gone'))
    symlinkSync('/nowhere', segment)
    expect(await holder({}).look()).toEqual(answered('its log cannot be read: it is gone'))
    rmSync(segment)
    mkdirSync(segment)
    expect(await holder({}).look()).toEqual(answered('its log cannot be read: something else is in its place'))
    expect(await holder({ minds: true }).look()).toEqual(
      answered('its log could not be read (something else is in its place) and was restored'),
    )
    expect(await holder({}).look()).toEqual(answered())
    rmSync(join(folder, 'run'), { recursive: true })
    expect(await holder({}).look()).toEqual(answered('its log cannot be read: it is gone'))
  })

  it('puts its socket back when it is asked, or does so later', async () => {
    rmSync(socketPath)
    expect(await holder({}).look()).toMatchObject({ note: expect.stringContaining('its socket is gone') })
    expect(await holder({ minds: true }).look()).toEqual(answered('its socket was gone and was restored'))
    expect(await holder({}).look()).toEqual(answered())
  })
})

describe('a holder that does not answer', () => {
  const status: Setup['status'] = null

  it('is stopped, busy or gone, and its program is spoken of', async () => {
    const stopped = process_(HOLDER, { isStopped: true })
    expect(await holder({ status, running: [stopped, process_(PROGRAM)] }).look()).toEqual(
      silent('its holder is stopped; its program keeps running'),
    )
    expect(await holder({ status, running: [stopped] }).look()).toEqual(silent('its holder is stopped; its program has ended'))
    expect(await holder({ status }).look()).toEqual(silent('its holder does not answer; its program keeps running'))
    expect(await holder({ status, link: { kind: 'unreachable', why: 'ECONNREFUSED' } }).look()).toEqual(
      silent('its holder cannot be reached (ECONNREFUSED); its program keeps running'),
    )
    expect(await holder({ status, running: [] }).look()).toEqual(gone('its holder is gone'))
    expect(await holder({ status, running: [process_(HOLDER, { start: 'another time' })] }).look()).toEqual(gone('its holder is gone'))
  })

  it('speaks another protocol, which is nobody’s fault', async () => {
    expect(await holder({ status, link: { kind: 'incompatible', speaks: '9–9' } }).look()).toEqual(
      answered('its holder speaks protocol 9–9; its program keeps running'),
    )
  })

  it('is made to go on when it was stopped, and is linked to anew otherwise; a stranger with its pid is left alone', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    await holder({ running: [process_(HOLDER, { isStopped: true })] }).recover()
    expect(kill.mock.calls).toEqual([[HOLDER, 'SIGCONT']])
    const stranger = holder({ running: [process_(HOLDER, { isStopped: true, start: 'another time' })] })
    await stranger.recover()
    expect([kill.mock.calls.length, stranger.reconnect.mock.calls.length]).toEqual([1, 1])
  })
})
