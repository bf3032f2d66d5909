import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { keepPicture, makeDaemon, put, seenOn, writeRun } from '../../../test/support/ownDaemon.ts'
import { buildStore } from '../../../test/support/store.ts'
import { asleep, runId, terminalId } from '../../../test/support/terminals.ts'
import { placed } from '../../../test/support/workspaces.ts'
import type { TerminalId } from '../../base/ids.ts'
import { CLOSED_FOR_MS } from '../../workspace/terminal/closed.ts'
import type { Client } from '../clients/handler.ts'
import type { Daemon } from '../compose.ts'
import { restoreHandlers } from '../handlers/restore.ts'
import { closeHandlers } from '../handlers/terminal.close.ts'
import { tidyRuns } from '../life/janitor.ts'
import { ClosedTerminals } from './closedTerminals.ts'

beforeAll(buildStore)

const [one, two, three] = [terminalId(1), terminalId(2), terminalId(3)] as const
const NOBODY = null as unknown as Client
const words = (id: TerminalId): string => `${id} said something`

/** Three terminals that sleep, each with a run; the clock is the test's. */
async function threeAsleep(): Promise<{ daemon: Daemon; clock: { now: number } }> {
  const daemon = await makeDaemon(placed(...[one, two, three].map((id) => asleep({ id }))))
  const clock = { now: Date.now() }
  Object.assign(daemon, { closed: new ClosedTerminals(daemon, () => clock.now) })
  for (const [at, id] of [one, two, three].entries()) {
    const run = runId(at + 1)
    writeRun(daemon, { run, terminal: id, texts: [`${words(id)}\r\n`] })
    await put(daemon, asleep({ id, name: `n${at + 1}`, lastRun: run, because: { kind: 'exited', status: { code: 3 } } }))
    await keepPicture(daemon, { run, terminal: id, texts: [`${words(id)}\r\n`] })
  }
  return { daemon, clock }
}

async function close(daemon: Daemon, terminal: string) {
  const reply = await closeHandlers['terminal.close'](daemon, { terminal }, NOBODY)
  if (!reply.ok) throw new Error(reply.refusal.message)
  return reply.result
}

async function reopen(daemon: Daemon, terminal?: string) {
  const reply = await closeHandlers['terminal.reopen'](daemon, terminal === undefined ? {} : { terminal }, NOBODY)
  if (!reply.ok) throw new Error(reply.refusal.code)
  return reply.result
}

const recordsOf = async ({ store }: Daemon) => (await store.records()).map((record) => (record.ok ? record.terminal.id : record.id))
const stop = async (daemon: Daemon): Promise<void> => void (await Promise.all([daemon.screens.stop(), daemon.store.close()]))

describe('a terminal that was closed', () => {
  test('is nowhere, and comes back with its record, its place, its screen and its files', async () => {
    const { daemon, clock } = await threeAsleep()
    const before = { record: daemon.registry.get(two), topology: daemon.topology }
    mkdirSync(join(daemon.paths.files, two), { recursive: true })
    writeFileSync(join(daemon.paths.files, two, 'dropped.txt'), 'x')
    expect(await close(daemon, 'n2')).toEqual({ id: two, goesOn: false, until: clock.now + CLOSED_FOR_MS, worktree: null })
    expect(daemon.topology.dock).toEqual([one, three])
    expect(await recordsOf(daemon)).toEqual([one, three])
    const checkpoint = await daemon.store.checkpoint((await daemon.checkpoints.take('manual')).id)
    expect(checkpoint?.ok && checkpoint.checkpoint.terminals.map(({ terminal }) => terminal.id)).toEqual([one, three])
    await tidyRuns(daemon)
    expect(await closeHandlers['terminal.closed'](daemon, {}, NOBODY)).toMatchObject({
      result: [{ id: two, name: 'n2', until: clock.now + CLOSED_FOR_MS }],
    })
    expect(await reopen(daemon)).toMatchObject({ id: two, name: 'n2', state: 'asleep', notes: [] })
    expect(daemon.registry.get(two)).toEqual(before.record)
    expect(daemon.topology).toEqual(before.topology)
    expect(await daemon.store.topology()).toEqual(before.topology)
    expect(await recordsOf(daemon)).toEqual([one, two, three])
    expect(readdirSync(daemon.paths.runs).sort()).toEqual([runId(1), runId(2), runId(3)])
    expect(await seenOn(daemon, two)).toContain(words(two))
    expect(existsSync(join(daemon.paths.files, two, 'dropped.txt'))).toBe(true)
    expect(daemon.closed.all()).toEqual([])
    await stop(daemon)
  })

  test('is known to the next daemon, until its time is over; then it is gone with all that was kept', async () => {
    const { daemon, clock } = await threeAsleep()
    await close(daemon, 'n1')
    clock.now += CLOSED_FOR_MS - 1
    await close(daemon, 'n2')
    const next = new ClosedTerminals(daemon, () => clock.now)
    Object.assign(daemon, { closed: next })
    await next.load()
    expect(next.all().map(({ terminal }) => terminal.name)).toEqual(['n2', 'n1'])
    clock.now += 1
    await tidyRuns(daemon)
    expect(next.all().map(({ terminal }) => terminal.name)).toEqual(['n2'])
    expect(readdirSync(daemon.paths.runs).sort()).toEqual([`${runId(2)}.closed`, runId(3)])
    expect(await daemon.store.snapshot(runId(1))).toBeNull()
    await expect(reopen(daemon, 'n1')).rejects.toThrow('reopen-too-late')
    await expect(reopen(daemon, 'n3')).rejects.toThrow('not-closed')
    await expect(reopen(daemon, 'nobody')).rejects.toThrow('closed-not-found')
    clock.now += CLOSED_FOR_MS
    const last = new ClosedTerminals(daemon, () => clock.now)
    await last.load()
    expect([last.all(), await daemon.store.closed(), readdirSync(daemon.paths.runs)]).toEqual([[], [], [runId(3)]])
    await expect(reopen(Object.assign(daemon, { closed: last }))).rejects.toThrow('nothing-to-reopen')
    await stop(daemon)
  })

  test('comes back without a name that somebody has taken meanwhile, and says so', async () => {
    const { daemon } = await threeAsleep()
    await close(daemon, 'n2')
    await daemon.registry.apply(three, { kind: 'renamed', name: 'n2' })
    expect(await reopen(daemon, two)).toMatchObject({ name: null, notes: ['It has no name, because another terminal is now named “n2”.'] })
    await stop(daemon)
  })

  test('comes back without a conversation that has gone on elsewhere, and says so', async () => {
    const { daemon } = await threeAsleep()
    const restore = { kind: 'conversation', agent: 'claude', id: 'c1', provenance: 'hook', argv: ['claude', '--resume', 'c1'] } as const
    await put(daemon, asleep({ id: two, name: 'n2', restore }))
    await close(daemon, 'n2')
    await put(daemon, asleep({ id: three, name: 'n3', restore }))
    const { conversation, notes } = await reopen(daemon, two)
    expect([conversation, notes]).toEqual([null, ['It starts with a shell, because its conversation is open in “n3”.']])
    await stop(daemon)
  })

  test('comes back without what it never kept, if it is private, but to its place', async () => {
    const { daemon } = await threeAsleep()
    const { topology } = daemon
    await put(daemon, asleep({ id: two, name: 'n2', private: true }))
    mkdirSync(join(daemon.paths.files, two), { recursive: true })
    await close(daemon, 'n2')
    expect(existsSync(join(daemon.paths.files, two))).toBe(false)
    expect(await reopen(daemon)).toMatchObject({ id: two, name: 'n2', private: true, state: 'asleep' })
    expect(daemon.topology).toEqual(topology)
    await stop(daemon)
  })

  test('that a checkpoint brings back is there once, with all it printed, and cannot be reopened any more', async () => {
    const { daemon } = await threeAsleep()
    const { id: checkpoint } = await daemon.checkpoints.take('manual')
    await close(daemon, 'n2')
    expect(await restoreHandlers['restore.apply'](daemon, { checkpoint }, NOBODY)).toMatchObject({ ok: true })
    expect(daemon.closed.all()).toEqual([])
    expect(await daemon.store.closed()).toEqual([])
    expect(await recordsOf(daemon)).toEqual([one, two, three])
    expect(await seenOn(daemon, two)).toContain(words(two))
    await stop(daemon)
  })

  test('stays where it is when the disk refuses, and stays closed when it refuses to bring it back', async () => {
    const { daemon } = await threeAsleep()
    const { topology } = daemon
    const { closeTerminal: works, reopenTerminal: worksToo } = daemon.store
    daemon.store.closeTerminal = () => Promise.reject(new Error('no space left'))
    await expect(daemon.closed.close(asleep({ id: two }))).rejects.toThrow('no space left')
    expect(daemon.topology).toEqual(topology)
    daemon.store.closeTerminal = works
    await close(daemon, 'n2')
    daemon.store.reopenTerminal = () => Promise.reject(new Error('no space left'))
    await expect(reopen(daemon, two)).rejects.toThrow('disk-failed')
    expect(daemon.topology.dock).toEqual([one, three])
    daemon.store.reopenTerminal = worksToo
    expect(await reopen(daemon, two)).toMatchObject({ id: two, state: 'asleep' })
    expect(daemon.topology).toEqual(topology)
    await stop(daemon)
  })
})
