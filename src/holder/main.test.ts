/** The whole holder as a process: how it starts, how it leaves, and what is left when it is killed. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, type HolderStart, Holders, logOf, type RealHolder, sh, typed } from '../../test/support/realHolder.ts'
import type { HolderCard } from '../wire/holder.ts'
import { segmentSeq } from '../wire/log.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

async function refusedStart(wanted: HolderStart): Promise<RealHolder & { reason: string }> {
  const holder = await holders.launch(wanted)
  if (holder.ready.ok) throw new Error('it started')
  return Object.assign(holder, { reason: holder.ready.reason })
}

describe('starting', () => {
  it('leaves a card, a private socket and a private directory, and lets go of its pipes', async () => {
    const holder = await holders.start(sh('sleep 100'))
    const { order, status } = holder
    const card = JSON.parse(readFileSync(join(order.runDirectory, 'holder.json'), 'utf8')) as HolderCard
    expect(card).toMatchObject({
      terminal: order.terminal,
      run: order.run,
      pid: status.pid,
      pidStart: status.pidStart,
      holderPid: holder.child.pid,
    })
    expect(card.holderStart).toMatch(/\d/)
    expect(JSON.stringify(card)).not.toContain('xterm-256color')
    const modes = [order.runDirectory, join(order.runDirectory, 'holder.json'), order.socketPath].map((path) => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600, 0o600])
    const { hello } = await holder.link()
    expect(hello).toMatchObject({
      terminal: order.terminal,
      run: order.run,
      status: { pid: status.pid, exit: null, degraded: null, size: order.size },
    })
  })

  it.each([
    ['no order', { rawOrder: '' }, 'not JSON'],
    ['half an order', { rawOrder: '{"terminal":"t' }, 'not JSON'],
    ['a missing command', { command: 'no-such-command' }, 'no-such-command was not found'],
    ['a missing directory', { ...sh('true'), cwd: '/no/such/place' }, '/no/such/place does not exist'],
    ['a directory for the socket that is missing', { ...sh('true'), socketPath: '/no/such/place/s.sock' }, '/no/such/place does not exist'],
  ])('with %s is refused with the reason, and nothing is left', async (_, wanted, reason) => {
    const holder = await refusedStart(wanted)
    expect(holder.reason).toContain(reason)
    expect(await holder.left).toBe(1)
    expect(readdirSync(holder.directory)).toEqual([])
  })

  it('never takes over the directory of another run', async () => {
    const holder = await holders.start(sh('sleep 100'))
    const second = await refusedStart({ ...sh('true'), runDirectory: holder.order.runDirectory })
    expect(second.reason).toContain('EEXIST')
    expect(existsSync(join(holder.order.runDirectory, 'holder.json'))).toBe(true)
  })
})

describe('leaving', () => {
  it('happens when the exit has been taken; the log holds it and the socket is gone', async () => {
    const holder = await holders.start(sh('printf bye; exit 5'))
    const link = await holder.link()
    await until(() => link.of('exited').length + (link.hello.status.exit === null ? 0 : 1) > 0, { what: 'the exit' })
    link.send({ kind: 'takeExit' })
    expect(await holder.left).toBe(0)
    expect(existsSync(holder.order.socketPath)).toBe(false)
    expect(readdirSync(holder.order.runDirectory).sort()).toEqual(['000000000000000.log', 'holder.json'])
    expect(logOf(holder).at(-1)).toMatchObject({ kind: 'exit', seq: 3, status: { code: 5 } })
    expect(holder.complaints()).toBe('')
  })

  it('happens by itself once the exit is on disk', async () => {
    const holder = await holders.start(sh('exit 0'))
    expect(await holder.left).toBe(0)
    expect(existsSync(holder.order.socketPath)).toBe(false)
  }, 20_000)

  it('is not hastened by SIGHUP or SIGINT; SIGTERM hangs the program up and keeps its exit', async () => {
    const holder = await holders.start(sh('sleep 100'))
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGUSR1'] as const) holder.child.kill(signal)
    const link = await holder.link()
    link.subscribe()
    await link.seen('caughtUp')
    holder.child.kill('SIGTERM')
    expect((await link.seen('exited')).status).toEqual({ signal: 'SIGHUP' })
    await until(() => logOf(holder).at(-1)?.kind === 'exit', { what: 'the exit in the log' })
  })

  it('waits until a reader has everything', async () => {
    const holder = await holders.start(sh('read x; seq 200000'))
    const [reader, control] = [await holder.link(), await holder.link()]
    reader.subscribe({ window: 100_000 })
    control.send(typed('\n'))
    await control.seen('exited')
    control.send({ kind: 'takeExit' })
    expect(await holder.left).toBe(0)
    expect(reader.text().endsWith('200000\r\n')).toBe(true)
    expect(reader.of('exited')).toHaveLength(1)
  })
})

const LAST_RECORD: Readonly<Record<string, string>> = {
  'holder:mid-flush': 'start',
  'holder:before-rotate': 'output',
  'holder:mid-rotate': 'start',
  'holder:after-exit-record': 'exit',
}

describe('dying at', () => {
  it.each(['holder:before-card', 'holder:after-card'])('%s leaves no half card and no program', async (trip) => {
    const holder = await holders.launch({ ...sh('exec sleep 305'), trip })
    expect(await holder.left).toBe('SIGKILL')
    const names = readdirSync(holder.order.runDirectory).filter((name) => segmentSeq(name) === null)
    expect(names).toEqual(trip === 'holder:after-card' ? ['holder.json'] : [])
  })

  it.each(['holder:mid-flush', 'holder:before-rotate', 'holder:mid-rotate', 'holder:after-exit-record'])(
    '%s leaves a log that reads to its last whole record',
    async (trip) => {
      const holder = await holders.launch({ ...sh('seq 5000; seq 5000 | tail -1; sleep 0.3; seq 5000'), segmentBytes: 32 << 10, trip })
      expect(await holder.left).toBe('SIGKILL')
      const records = logOf(holder)
      expect(records[0]?.kind).toBe('start')
      expect(records.at(-1)?.kind).toBe(LAST_RECORD[trip])
      rmSync(holder.order.socketPath, { force: true })
    },
  )
})
