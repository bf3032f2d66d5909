import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryEvent, arbitraryStatus, runId, spec, terminalId } from '../../test/support/terminals.ts'
import type { RunId, TerminalId } from '../base/ids.ts'
import type { LivingHolder } from './boot/found.ts'
import { reconcile } from './boot/reconcile.ts'
import type { Effect, TerminalEvent } from './terminal/events.ts'
import { assertKeepBeforeKill } from './terminal/keepBeforeKill.ts'
import { newTerminal, step } from './terminal/step.ts'
import { currentRun, type ExitStatus, type Terminal } from './terminal/terminal.ts'

/**
 * `step` and `reconcile` together, in a small world with a disk and holders that outlive the daemon. The daemon may be
 * killed between any two effects; then the next one starts from what is on the disk and who is alive.
 */
class World {
  readonly disk = new Map<TerminalId, Terminal>()
  readonly holders = new Map<RunId, LivingHolder>()
  readonly closed = new Set<TerminalId>()
  readonly mayEnd = new Set<RunId>()
  memory = new Map<TerminalId, Terminal>()
  private ids = 1

  readonly makeId = (): TerminalId => terminalId(this.ids++)

  /** Runs at most `budget` effects; what is left of it tells whether the daemon survived. */
  carryOut(id: TerminalId, { terminal, effects }: { terminal: Terminal | null; effects: readonly Effect[] }, budget: number): number {
    assertKeepBeforeKill(effects)
    if (terminal === null) this.memory.delete(id)
    else this.memory.set(id, terminal)
    for (const effect of effects.slice(0, budget)) this.run(id, terminal, effect)
    return budget - effects.length
  }

  private run(id: TerminalId, terminal: Terminal | null, effect: Effect): void {
    if (effect.kind === 'keep' && terminal !== null) this.disk.set(id, terminal)
    if (effect.kind === 'forget') this.forget(id)
    if (effect.kind === 'spawn') this.spawn(id, effect.run)
    if (effect.kind === 'settle' || effect.kind === 'kill') expect(this.mayEnd).toContain(effect.run)
    if (effect.kind === 'kill') this.end(effect.run, { signal: 'SIGKILL' })
    if (effect.kind === 'releaseHolder') this.release(effect.run)
  }

  private forget(id: TerminalId): void {
    expect(this.closed).toContain(id)
    this.disk.delete(id)
  }

  private spawn(id: TerminalId, run: RunId): void {
    for (const other of this.holders.values()) if (this.ownerOf(other.run) === id) expect(other.exited).not.toBeNull()
    this.holders.set(run, { terminal: id, run, pid: 1, holderPid: 2, spec, startedAt: 0, exited: null, link: { kind: 'connected' } })
  }

  private release(run: RunId): void {
    expect(this.holders.get(run)?.exited ?? null).not.toBeNull()
    this.holders.delete(run)
  }

  ownerOf(run: RunId): TerminalId | undefined {
    return [...this.memory.values()].find((terminal) => currentRun(terminal) === run)?.id
  }

  end(run: RunId, status: ExitStatus): void {
    const holder = this.holders.get(run)
    if (holder !== undefined) this.holders.set(run, { ...holder, exited: holder.exited ?? status })
  }

  boot(budget: number): void {
    this.memory.clear()
    const records = [...this.disk.values()].map((terminal) => ({ ok: true, terminal }) as const)
    const plan = reconcile({ records, holders: [...this.holders.values()], now: 0, graceMs: 10, fallbackSpec: spec, makeId: this.makeId })
    let left = budget
    for (const action of plan) {
      const terminal = 'terminal' in action ? action.terminal : null
      left = this.carryOut('id' in action ? action.id : action.terminal.id, { terminal, effects: action.effects }, left)
      if (left < 0) return this.boot(Number.POSITIVE_INFINITY)
    }
  }
}

type Act =
  | { readonly kind: 'new' }
  | { readonly kind: 'event'; readonly at: number; readonly event: TerminalEvent }
  | { readonly kind: 'programEnds'; readonly at: number; readonly status: ExitStatus }
  | { readonly kind: 'holderDies'; readonly at: number }
type Scene = { readonly act: Act; readonly effectsBeforeCrash: number; readonly effectsBeforeSecondCrash: number }

const arbitraryAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('new' as const) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('event' as const), at: fc.nat(), event: arbitraryEvent(fc.constant(runId(0))) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('programEnds' as const), at: fc.nat(), status: arbitraryStatus }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('holderDies' as const), at: fc.nat() }) },
)
const survives = { weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }
const budget = fc.oneof(survives, { weight: 1, arbitrary: fc.nat(5) })
const scenes = fc.array(fc.record({ act: arbitraryAct, effectsBeforeCrash: budget, effectsBeforeSecondCrash: budget }), { maxLength: 50 })

/** What a daemon could truly observe about this terminal; null when the event is impossible in this world. */
function possible(world: World, terminal: Terminal, event: TerminalEvent, fresh: RunId): TerminalEvent | null {
  if (event.kind === 'wakeAsked') return { ...event, run: fresh }
  if (!('run' in event)) return event
  const run = currentRun(terminal)
  if (run === null) return null
  const holder = world.holders.get(run)
  if (event.kind === 'exited') return holder?.exited ? { ...event, run, status: holder.exited } : null
  if (event.kind === 'holderLost' || event.kind === 'startFailed') return holder === undefined ? { ...event, run } : null
  return { ...event, run }
}

function play(world: World, { act, effectsBeforeCrash }: Scene, index: number): number {
  const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)]
  if (act.kind === 'new') {
    const id = world.makeId()
    return world.carryOut(id, newTerminal({ id, spec, name: null, run: runId(index + 1), now: 0 }), effectsBeforeCrash)
  }
  if (act.kind === 'programEnds') world.end(pick([...world.holders.keys()], act.at) ?? runId(0), act.status)
  if (act.kind === 'holderDies') world.holders.delete(pick([...world.holders.keys()], act.at) ?? runId(0))
  const terminal = act.kind === 'event' ? pick([...world.memory.values()], act.at) : undefined
  const event = act.kind === 'event' && terminal !== undefined ? possible(world, terminal, act.event, runId(index + 1)) : null
  if (event === null || terminal === undefined) return effectsBeforeCrash === Number.POSITIVE_INFINITY ? 0 : -1
  if (event.kind === 'closeAsked') world.closed.add(terminal.id)
  const run = currentRun(terminal)
  if (run !== null && (event.kind === 'closeAsked' || event.kind === 'sleepAsked')) world.mayEnd.add(run)
  return world.carryOut(terminal.id, step(terminal, event, 0), effectsBeforeCrash)
}

test('killed between any two effects, the daemon loses no terminal, doubles no run and ends no program unasked', () => {
  fc.assert(
    fc.property(scenes, (sequence) => {
      const world = new World()
      for (const [index, scene] of sequence.entries()) {
        const known = new Set(world.disk.keys())
        if (play(world, scene, index) < 0) world.boot(scene.effectsBeforeSecondCrash)
        for (const id of known) expect(world.memory.has(id) || world.closed.has(id)).toBe(true)
        for (const { run, exited } of world.holders.values()) if (exited === null) expect(world.ownerOf(run)).toBeDefined()
        const runs = [...world.memory.values()].flatMap((terminal) => currentRun(terminal) ?? [])
        expect(new Set(runs).size).toBe(runs.length)
      }
    }),
    { numRuns: 600 },
  )
})
