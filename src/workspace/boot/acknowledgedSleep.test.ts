/**
 * Every order in which the wish to sleep, the effects, the program, the holder and the daemon can come to their ends, one after another,
 * until nothing new is reached. What was acknowledged is kept, and nothing is done to a program before its wish is.
 */
import { expect, test } from 'vitest'
import { live, runId, spec, terminalId } from '../../../test/support/terminals.ts'
import type { Effect, Outcome } from '../terminal/events.ts'
import { assertKeepBeforeKill } from '../terminal/keepBeforeKill.ts'
import { type EndingEvent, RUNNING, type RunEnding, stepEnding } from '../terminal/runEnding.ts'
import { sleepAnswer } from '../terminal/sleepAnswer.ts'
import { step } from '../terminal/step.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { LivingHolder } from './found.ts'
import { type LifeBefore, planBoot } from './planBoot.ts'

const [ID, RUN] = [terminalId(1), runId(1)]
const STATUS = { code: 0 }

type Daemon = {
  readonly memory: Terminal | null
  readonly queue: readonly { readonly terminal: Terminal | null; readonly effects: readonly Effect[] }[]
  readonly ending: RunEnding
  /** A client waits for the answer. */
  readonly isAsked: boolean
  readonly isEndHeard: boolean
}
type World = {
  /** Null once the record is forgotten. */
  readonly disk: Terminal | null
  readonly program: 'runs' | 'ended'
  readonly holder: 'there' | 'gone'
  /** Null while none runs. */
  readonly daemon: Daemon | null
  readonly isAcknowledged: boolean
}

/** Where a move is not possible, it is null. */
type Move = (world: World) => World | null
const inDaemon =
  (move: (daemon: Daemon, world: World) => Partial<World> | null): Move =>
  (world) => {
    const after = world.daemon === null ? null : move(world.daemon, world)
    return after === null ? null : { ...world, ...after }
  }

function carriedOut(daemon: Daemon, { terminal, effects }: Outcome): Daemon {
  assertKeepBeforeKill(effects)
  return { ...daemon, memory: terminal, queue: effects.length === 0 ? daemon.queue : [...daemon.queue, { terminal, effects }] }
}

function endingHeard(daemon: Daemon, event: EndingEvent): Daemon {
  const { ending, effects } = stepEnding(daemon.ending, event)
  let after: Daemon = { ...daemon, ending }
  for (const effect of effects) {
    if (effect.kind === 'look') after = endingHeard(after, { kind: 'looked', hasAgent: false })
    if (effect.kind === 'timeOut') after = told(after, { kind: 'settleTimedOut', run: RUN })
    if (effect.kind === 'tell')
      after = told(after, effect.end.kind === 'lost' ? { kind: 'holderLost', run: RUN } : { ...effect.end, run: RUN })
  }
  return after
}

const told = (daemon: Daemon, event: Parameters<typeof step>[1]): Daemon =>
  daemon.memory === null ? daemon : carriedOut(daemon, step(daemon.memory, event, 5))

function afterEffect(world: World, daemon: Daemon, effect: Effect, terminal: Terminal | null): World {
  switch (effect.kind) {
    case 'keep':
      return { ...world, daemon, disk: terminal }
    case 'settle':
      expect(isWishOnDisk(world)).toBe(true)
      return { ...world, daemon: endingHeard(daemon, { kind: 'asked', graceMs: effect.graceMs }) }
    case 'kill':
      expect(isWishOnDisk(world)).toBe(true)
      return { ...world, daemon, program: 'ended' }
    case 'releaseHolder':
      return { ...world, daemon: endingHeard(daemon, { kind: 'released' }), holder: 'gone' }
    case 'forget':
      return { ...world, daemon, disk: null }
    case 'keepScreen':
    case 'spawn':
    case 'hearLastWords':
    case 'announce':
      return { ...world, daemon }
  }
}

/** The record says that the run is to end, or has ended. */
const isWishOnDisk = ({ disk }: World): boolean => disk === null || disk.state === 'settling' || disk.state === 'asleep'

function found({ program, holder }: World): readonly LivingHolder[] {
  // A holder writes the exit to its log before it tells it: it is known also where the holder has gone since.
  if (holder === 'gone' && program === 'runs') return []
  const link = holder === 'there' ? ({ kind: 'connected' } as const) : ({ kind: 'unreachable', why: 'it has ended' } as const)
  const exited = program === 'ended' ? { exited: STATUS, exitedAt: 4 } : { exited: null }
  return [{ terminal: ID, run: RUN, pid: 1, holderPid: 2, spec, startedAt: 1, link, ...exited }]
}

const CRASH: LifeBefore = { session: { createdAt: 0, clean: false, lastCheckpointAt: null }, toldAt: null, hasRebooted: false }
/** All at once, at the moment at which the program ended. */
const SHUTDOWN: LifeBefore = { session: { createdAt: 0, clean: true, lastCheckpointAt: null }, toldAt: 4, hasRebooted: true }

function booted(world: World, before = CRASH): Daemon | null {
  if (world.disk === null) return null
  const { actions } = planBoot({
    ...{ now: 6, graceMs: 10, fallbackSpec: spec, makeId: () => terminalId(9), before, begun: new Map() },
    ...{ kept: [{ ok: true, terminal: world.disk }], fill: null, elsewhere: null, topology: { groups: [], dock: [] } },
    living: world.holder === 'there' && !before.hasRebooted ? found(world) : [],
    ended: world.holder === 'gone' || before.hasRebooted ? found(world).filter(({ exited }) => exited !== null) : [],
  })
  const [action] = actions
  if (action === undefined) throw new Error('a record was left out')
  const terminal = action.kind === 'finishClose' ? null : action.terminal
  const asleep = { queue: [], ending: RUNNING, isAsked: false, isEndHeard: false }
  return carriedOut({ memory: null, ...asleep }, { terminal, effects: action.effects })
}

const MOVES: Readonly<Record<string, Move>> = {
  'sleep is asked': inDaemon((daemon) =>
    daemon.isAsked ? null : { daemon: told({ ...daemon, isAsked: true }, { kind: 'sleepAsked', graceMs: 10 }) },
  ),
  'close is asked': inDaemon((daemon) => ({ daemon: told(daemon, { kind: 'closeAsked', graceMs: 10 }) })),
  'one effect is carried out': inDaemon((daemon, world) => {
    const [work, ...later] = daemon.queue
    const [effect, ...left] = work?.effects ?? []
    if (work === undefined || effect === undefined) return null
    const queue = left.length === 0 ? later : [{ ...work, effects: left }, ...later]
    return afterEffect(world, { ...daemon, queue }, effect, work.terminal)
  }),
  // Its timer fires once.
  'the time is up': inDaemon((daemon) => (daemon.ending.at === 'late' ? null : { daemon: endingHeard(daemon, { kind: 'deadline' }) })),
  'the program ends': (world) => (world.program === 'runs' && world.holder === 'there' ? { ...world, program: 'ended' } : null),
  'the holder dies': (world) => (world.holder === 'there' ? { ...world, holder: 'gone' } : null),
  'the end is heard': inDaemon((daemon, { program, holder }) => {
    if (daemon.isEndHeard || (program === 'runs' && holder === 'there')) return null
    const end = program === 'ended' ? ({ kind: 'exited', status: STATUS } as const) : ({ kind: 'lost' } as const)
    return { daemon: endingHeard({ ...daemon, isEndHeard: true }, { kind: 'ended', end, hasAgent: false, isOurs: true }) }
  }),
  'sleep is acknowledged': inDaemon((daemon) => {
    if (!daemon.isAsked || daemon.memory?.state !== 'asleep') return null
    const answer = sleepAnswer(daemon.memory, { isQuiet: daemon.queue.length === 0 })
    return answer.kind === 'slept' ? { isAcknowledged: true } : null
  }),
  'the daemon dies': inDaemon(() => ({ daemon: null })),
  'a daemon starts': (world) => (world.daemon === null && world.disk !== null ? { ...world, daemon: booted(world) } : null),
}

const START: World = {
  disk: live({ id: ID, run: RUN }),
  program: 'runs',
  holder: 'there',
  daemon: { memory: live({ id: ID, run: RUN }), queue: [], ending: RUNNING, isAsked: false, isEndHeard: false },
  isAcknowledged: false,
}

/** Far more than there are. */
const MOST_WORLDS = 20_000

/** Every world that can be reached without the moves that are left out, with the way to it. */
function reached(without: readonly string[] = []): readonly { readonly world: World; readonly way: readonly string[] }[] {
  const seen = new Set([JSON.stringify(START)])
  const all: { world: World; way: readonly string[] }[] = [{ world: START, way: [] }]
  for (let next = 0; next < all.length; next += 1) {
    const { world, way } = all[next] ?? { world: START, way: [] }
    for (const [name, move] of Object.entries(MOVES)) {
      const after = without.includes(name) ? null : move(world)
      if (after === null) continue
      const key = JSON.stringify(after)
      if (seen.has(key)) continue
      seen.add(key)
      if (seen.size > MOST_WORLDS) throw new Error(`there is no end of worlds: ${[...way, name].join(', ')}`)
      all.push({ world: after, way: [...way, name] })
    }
  }
  return all
}

const fateOf = (terminal: Terminal | null): string =>
  terminal === null ? 'closed' : terminal.state === 'asleep' ? terminal.because.kind : terminal.state

test('a sleep that was acknowledged is slept, in memory, on disk and for the next daemon, whoever dies whenever', () => {
  const all = reached(['close is asked'])
  const acknowledged = all.filter(({ world }) => world.isAcknowledged)
  expect(acknowledged.length).toBeGreaterThan(10)
  for (const { world, way } of acknowledged) {
    const next = [booted(world), booted(world, SHUTDOWN)].map((daemon) => fateOf(daemon?.memory ?? null))
    const fates = [fateOf(world.disk), ...next, ...(world.daemon === null ? [] : [fateOf(world.daemon.memory)])]
    expect(new Set(fates), way.join(', ')).toEqual(new Set(['slept']))
  }
})

test('the wish is on disk before anything is done to the program, and a close never turns back', () => {
  const all = reached() // asserted on the way
  for (const { world, way } of all) if (world.disk === null) expect(fateOf(world.daemon?.memory ?? null), way.join(', ')).toBe('closed')
})

test('it can be told where the law is broken: acknowledged without waiting for the effects, a sleep may be lost', () => {
  const early = reached(['close is asked']).filter(
    ({ world: { daemon } }) => daemon?.isAsked && (daemon.memory?.state === 'settling' || fateOf(daemon.memory) === 'slept'),
  )
  const fates = early.map(({ world }) => fateOf(booted({ ...world, program: 'runs', holder: 'gone' })?.memory ?? null))
  expect(fates).toContain('lost')
})
