import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { keepPicture, makeDaemon, put, seenOn, writeRun } from '../../../test/support/ownDaemon.ts'
import { buildStore } from '../../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { type Act, act, arbitraryActs, empty, placed } from '../../../test/support/workspaces.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Client } from '../clients/handler.ts'
import type { Daemon } from '../compose.ts'
import { restoreHandlers } from '../handlers/restore.ts'

beforeAll(buildStore)

/** What a terminal has printed before the checkpoint, and after it. */
const EARLY = (id: TerminalId): string => `${Array.from({ length: 12 }, (_, line) => `${id} early ${line}`).join('\r\n')}\r\n`
const LATE = (id: TerminalId): string => `${id} late\r\n`
const runOf = (id: TerminalId, number: number): RunId => `r${id.slice(1, 10)}${number}` as RunId

async function make(daemon: Daemon, id: TerminalId, { isLive }: { isLive: boolean }): Promise<void> {
  const run = runOf(id, 1)
  writeRun(daemon, { run, terminal: id, texts: isLive ? [EARLY(id), LATE(id)] : [EARLY(id)] })
  await put(
    daemon,
    isLive ? live({ id, run, lastRun: run }) : asleep({ id, lastRun: run, because: { kind: 'exited', status: { code: 0 } } }),
  )
  await keepPicture(daemon, { run, terminal: id, texts: [EARLY(id)] })
}

/** The program went on printing, and then it was gone; or a newer run took the place of the one that had ended. */
async function goOn(daemon: Daemon, terminal: Terminal): Promise<void> {
  const { id } = terminal
  const next = terminal.state === 'asleep' ? runOf(id, 2) : terminal.run
  if (terminal.state === 'asleep') writeRun(daemon, { run: next, terminal: id, texts: [LATE(id)] })
  await put(daemon, asleep({ id, name: `n-${id}`, lastRun: next, because: { kind: 'lost' } }))
  await keepPicture(daemon, { run: next, terminal: id, texts: terminal.state === 'asleep' ? [LATE(id)] : [EARLY(id), LATE(id)] })
}

async function arrange(daemon: Daemon, topology: Topology): Promise<void> {
  for (const { id } of daemon.registry.all())
    if (!topology.dock.includes(id)) await daemon.registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
  await daemon.layout.set(topology)
}

async function apply(daemon: Daemon, checkpoint: string, only?: string) {
  const reply = await restoreHandlers['restore.apply'](
    daemon,
    { checkpoint, ...(only === undefined ? {} : { only }) },
    null as unknown as Client,
  )
  if (!reply.ok) throw new Error(reply.refusal.message)
  return reply.result
}

async function load(daemon: Daemon, id: string): Promise<Checkpoint> {
  const loaded = await daemon.store.checkpoint(id as Checkpoint['id'])
  if (!loaded?.ok) throw new Error(`no checkpoint ${id}`)
  return loaded.checkpoint
}

const lasting = ({ touched: _, lastRun: _run, ...terminal }: Terminal) => terminal
const inOrder = (terminals: readonly Terminal[]) => [...terminals].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Everything is as the checkpoint says: layout, records and screens, in memory and on disk. */
async function expectLike(daemon: Daemon, then: Checkpoint): Promise<void> {
  expect(daemon.topology).toEqual(then.topology)
  expect(await daemon.store.topology()).toEqual(then.topology)
  const expected = then.terminals.map(({ terminal }) => terminal)
  const now = inOrder(daemon.registry.all())
  expect(now.map(({ id }) => id)).toEqual(inOrder(expected).map(({ id }) => id))
  for (const [at, terminal] of now.entries()) {
    const was = inOrder(expected)[at]
    if (was?.state === 'asleep') expect(lasting(terminal)).toEqual(lasting(was))
    else expect(terminal).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
  }
  const kept = (await daemon.store.records()).flatMap((record) => (record.ok ? [record.terminal] : []))
  expect(inOrder(kept)).toEqual(now)
}

type Scene = {
  readonly first: readonly Act[]
  readonly then: readonly Act[]
  readonly living: readonly boolean[]
  readonly on: readonly boolean[]
}
const arbitraryScene: fc.Arbitrary<Scene> = fc.record({
  first: arbitraryActs(18),
  then: arbitraryActs(14),
  living: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  on: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
})

describe('restoring an older checkpoint', () => {
  test('gives exactly its layout, its records and its screens, whatever happened since, and can be taken back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryScene, async ({ first, then, living, on }) => {
        const topology = first.reduce(act, empty)
        const daemon = await makeDaemon(topology)
        for (const [at, id] of topology.dock.entries()) await make(daemon, id, { isLive: living[at] ?? false })
        const { id } = await daemon.checkpoints.take('manual')
        const checkpoint = await load(daemon, id)
        // Whoever lived is gone by now, because nothing that lives is ever changed; the others changed or did not.
        for (const [at, terminal] of daemon.registry.all().entries()) if (terminal.state === 'live' || on[at]) await goOn(daemon, terminal)
        await arrange(daemon, then.reduce(act, topology))
        for (const newcomer of daemon.topology.dock)
          if (daemon.registry.get(newcomer) === null) await make(daemon, newcomer, { isLive: false })

        const pictures = new Map<TerminalId, string | null>()
        for (const now of daemon.registry.all()) pictures.set(now.id, await seenOn(daemon, now.id))

        const { undo } = await apply(daemon, id)
        await expectLike(daemon, checkpoint)
        for (const { terminal } of checkpoint.terminals) expect(await seenOn(daemon, terminal.id)).toBe(shown(terminal.id))
        const before = await load(daemon, undo)
        await apply(daemon, undo)
        await expectLike(daemon, before)
        for (const [terminal, picture] of pictures) expect(await seenOn(daemon, terminal)).toBe(picture)
        await Promise.all([daemon.screens.stop(), daemon.store.close()])
      }),
      { numRuns: Number(process.env['RESTORE_RUNS'] ?? 8), endOnFailure: true }, // making it smaller takes minutes
    )
  }, 120_000)

  test('leaves what lives alone, at its place of then, and keeps a living stranger in a workspace of its own', async () => {
    const [one, two, three] = [terminalId(1), terminalId(2), terminalId(3)] as const
    const daemon = await makeDaemon(placed(live({ id: one }), asleep({ id: two })))
    await make(daemon, one, { isLive: true })
    await make(daemon, two, { isLive: false })
    const { id } = await daemon.checkpoints.take('manual')
    await arrange(daemon, placed(live({ id: one }), live({ id: three })))
    await put(daemon, live({ id: three, run: runId(3) }))
    const before = [daemon.registry.get(one), daemon.registry.get(three)]
    const { plan } = await apply(daemon, id)
    expect(plan.steps.map(({ kind, terminal }) => `${kind} ${terminal}`)).toEqual([
      `adopt ${one}`,
      `bringBack ${two}`,
      `keepStranger ${three}`,
    ])
    expect([daemon.registry.get(one), daemon.registry.get(three)]).toEqual(before)
    expect(daemon.registry.get(two)?.state).toBe('asleep')
    expect(daemon.topology.groups.flatMap(({ workspaces }) => workspaces).map(({ name }) => name)).toEqual(['main', 'kept'])
    await daemon.screens.stop()
  })

  test('that its disk refuses changes nothing and leaves no run behind', async () => {
    const id = terminalId(1)
    const daemon = await makeDaemon(placed(live({ id })))
    await make(daemon, id, { isLive: true })
    const checkpoint = (await daemon.checkpoints.take('manual')).id
    await goOn(daemon, daemon.registry.get(id) as Terminal)
    const before = { runs: readdirSync(daemon.paths.runs), terminals: daemon.registry.all(), topology: daemon.topology }
    daemon.store.keepRestored = () => Promise.reject(new Error('no space left'))
    const reply = await restoreHandlers['restore.apply'](daemon, { checkpoint }, null as unknown as Client)
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'disk-failed' } })
    expect({ runs: readdirSync(daemon.paths.runs), terminals: daemon.registry.all(), topology: daemon.topology }).toEqual(before)
    await daemon.screens.stop()
  })
})

const shown = (id: TerminalId): string => EARLY(id).replaceAll('\r\n', '\n').trimEnd()
