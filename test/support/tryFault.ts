/** Brings one fault about and holds everything that is shown to what was promised of it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WatchedView } from '../../src/wire/healthView.ts'
import type { Promised, Times } from './faultPage.ts'
import { answers, isWell, type Look, Story, startProgram, type Where, watchClosely } from './faults.ts'
import { run } from './holdfast.ts'
import { makeHome } from './home.ts'
import { until } from './milestone.ts'
import type { TerminalRow } from './terminalView.ts'

/** The terminal that is struck. */
export type Scene = {
  readonly home: Where
  readonly id: string
  readonly run: string
  readonly pid: number
  readonly holderPid: number
  /** Of the other terminal, which must not notice. */
  readonly otherPid: number
}

export type Fault = Promised & {
  readonly backend?: 'tmux'
  /** On a disk of its own, small enough to be filled up. */
  readonly isOnSmallDisk?: boolean
  /** For the daemon. */
  env?(home: Where): Record<string, string>
  /** Resolves at the moment of the fault, or calls `struck` then. */
  strike(scene: Scene, struck: () => void): void | Promise<void>
  /** What the user has to do, where it does not end by itself. */
  relieve?(scene: Scene): void
  /** What must be so while it lasts, when it is as bad as it gets. */
  meanwhile?(scene: Scene): void | Promise<void>
  /** What else must be so in the end. */
  also?(scene: Scene): unknown
}

const DOWN: readonly WatchedView['state'][] = ['dead', 'recovering', 'failed']
const LAST_WORDS = 'last words of struck'

/** Null where it cannot be brought about on this machine. */
export async function tryFault(fault: Fault): Promise<Times | null> {
  await using place = fault.isOnSmallDisk === true ? await onSmallDisk() : makeHome()
  if (place === null) return null
  const home: Where = { path: place.path }
  watchClosely(home)
  await startProgram(home, 'other', { env: fault.env?.(home) ?? {} })
  await startProgram(home, 'struck', { args: fault.backend === undefined ? [] : ['--backend', fault.backend] })
  using story = await Story.begin(home)
  const scene = sceneIn(home, await story.now('all to be well', ({ health }) => isWell(health)))
  const before = story.looks.length

  let struckAt = Number.NaN
  await fault.strike(scene, () => {
    struckAt = performance.now()
  })
  struckAt ||= performance.now()
  const seenAt = await seen(story, fault)
  expect(await story.read('struck')).toContain(LAST_WORDS)
  const relievedAt = await relieved(story, fault, scene)
  const over = await story.now('all to be well again', (look) => isOver(look, fault))
  const wellAt = fault.at === null ? await story.lookedAtAnew() : over.at

  expectPromised(story, { fault, scene, looks: story.looks.slice(before) })
  await expectUsable(story, fault, scene)
  await fault.also?.(scene)
  return { seenMs: seenAt - struckAt, wellMs: wellAt - (relievedAt ?? struckAt) }
}

function sceneIn(home: Where, { terminals }: Look): Scene {
  const { id, run: runId, pid, holderPid } = named(terminals, 'struck')
  return { home, id, run: runId ?? '', pid: pid ?? 0, holderPid: holderPid ?? 0, otherPid: named(terminals, 'other').pid ?? 0 }
}

function named(terminals: readonly TerminalRow[], name: string): TerminalRow {
  const found = terminals.find((terminal) => terminal.name === name)
  if (found === undefined) throw new Error(`${name} is not shown at all`)
  return found
}

const isLost = ({ terminals }: Look): boolean => named(terminals, 'struck').because?.kind === 'lost'
const isShownAt = ({ health }: Look, { at, why }: Promised): boolean => health.watched.some((each) => each.kind === at && each.why === why)

/** When something was first shown of it. */
async function seen(story: Story, fault: Fault): Promise<number> {
  const { at, why } = fault
  if (at === null) {
    await until(() => story.logged().some(({ msg }) => msg === why), { what: 'the log to say it', timeoutMs: 20_000 })
    return performance.now()
  }
  const isSeen = (look: Look): boolean =>
    fault.terminal === 'lost' ? isLost(look) : look.health.watched.some((each) => each.kind === at && each.why !== null)
  return (await story.now('it to be seen', isSeen)).at
}

/** When the user has done something about it, where he must. */
async function relieved(story: Story, fault: Fault, scene: Scene): Promise<number | null> {
  const worst = fault.states.at(-1)
  if (fault.relieve !== undefined)
    await story.now(`it to be ${worst}`, ({ health }) => health.watched.some(({ kind, state }) => kind === fault.at && state === worst))
  await fault.meanwhile?.(scene)
  if (fault.relieve === undefined) return null
  expect(await story.read('struck')).toContain(LAST_WORDS)
  fault.relieve(scene)
  return performance.now()
}

const isOver = (look: Look, { terminal }: Fault): boolean => isWell(look.health) && isLost(look) === (terminal === 'lost')

type Seen = { readonly fault: Fault; readonly scene: Scene; readonly looks: readonly Look[] }

/** All the time: what was promised is shown, and nothing else is shown dead, lost or gone. */
function expectPromised(story: Story, { fault, scene, looks }: Seen): void {
  const { at, why, states, terminal } = fault
  const down = looks.flatMap(({ health }) => health.watched.filter(({ state }) => DOWN.includes(state)))
  expect(down.filter((each) => !isMeant(each, fault, scene))).toEqual([])
  for (const { terminals } of looks) {
    expect(named(terminals, 'other')).toMatchObject({ state: 'live', pid: scene.otherPid, trouble: null })
    if (terminal === 'live') expect(named(terminals, 'struck')).toMatchObject({ state: 'live', pid: scene.pid })
    else expect(named(terminals, 'struck').because ?? { kind: 'lost' }).toEqual({ kind: 'lost' })
  }
  if (at === null) return
  const logged = story.logged().filter(({ msg, kind }) => msg === 'health' && kind === at)
  if (fault.isOnSmallDisk !== true) expect(logged.flatMap(({ to }) => (to === undefined || to === 'alive' ? [] : [to]))).toEqual(states)
  expect(logged.some((line) => line.why === why) || looks.some((look) => isShownAt(look, fault)), why).toBe(true)
}

/** In tmux, what is wrong with it is wrong with what is in it. */
const isMeant = ({ kind, terminal }: WatchedView, { at, backend }: Fault, { id }: Scene): boolean =>
  (kind === at && (terminal === null || terminal === id)) || (backend === 'tmux' && (kind === 'tmux' || terminal === id))

/** The same program answers; or, asleep, the terminal shows its last screen and wakes. The other one has not noticed. */
async function expectUsable(story: Story, { terminal }: Fault, { home, pid }: Scene): Promise<void> {
  expect(await story.read('struck')).toContain(LAST_WORDS)
  if (terminal === 'lost') expect((await run(home.path, ['wake', 'struck'])).code).toBe(0)
  const [struck, other] = await Promise.all([answers(home, 'struck'), answers(home, 'other')])
  expect({ struck, other }).toEqual({ struck: true, other: true })
  const after = await story.now('it to be live', ({ terminals }) => named(terminals, 'struck').state === 'live')
  expect(named(after.terminals, 'struck').pid === pid).toBe(terminal === 'live')
}

async function onSmallDisk(): Promise<(Where & AsyncDisposable) | null> {
  const home = makeHome()
  const path = join(home.path, 'state')
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', path], { stdio: 'pipe' })
  } catch {
    await home.dispose() // it is not permitted here
    return null
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      await run(path, ['daemon', 'stop', '--all'])
      await until(() => execFileSync('umount', [path], { stdio: 'pipe' }) !== null, { what: 'the mount to be free' })
      await home.dispose()
    },
  }
}
