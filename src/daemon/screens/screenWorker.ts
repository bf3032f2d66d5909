/** A worker thread that owns screens. Floods are parsed here, so that the main thread never waits for them. */
import { platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RunId } from '../../base/ids.ts'
import { armedThreadTrip } from '../../store/trip.ts'
import { earlierLines } from './earlierLines.ts'
import { EventGate } from './eventGate.ts'
import { type Dropped, type DroppedKind, PRINTED_RATE } from './eventRates.ts'
import { FloodPace } from './floodPace.ts'
import { lookThrough } from './lookThrough.ts'
import { gistOf, pictureOf } from './picture.ts'
import type { Ask, FromWorker, Replies, SessionOrder, SnapshotReply, ToldEvent, ToWorker, WaitedText } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'
import type { SessionEvents } from './sessionEvents.ts'
import { PatternTooSlow, TimedPattern } from './timedPattern.ts'

const NICE = 5

if (parentPort === null) throw new Error('this file is a worker')
const port = parentPort
// On Linux this is the thread's own priority: typing comes before drawing what no client has asked for yet.
if (platform() === 'linux') setPriority(0, NICE)
const say = (message: FromWorker): void => port.postMessage(message)

type Wait = { readonly run: RunId; check(): void; end(): void }

/** `ready` settles when everything that existed at the start is on the screen; before that there is nothing to show or keep. */
type Opened = {
  readonly session: ScreenSession
  readonly gate: EventGate<ToldEvent>
  readonly ready: Promise<void>
  isReady: boolean
  /** Since the last time that it was told. */
  dropped: Dropped
}

const sessions = new Map<RunId, Opened>()
const pace = new FloodPace()
const waits = new Map<number, Wait>()
const CHECK_EVERY_MS = 30 // a waiter looks at the text at most this often while output pours in

const tripThread = armedThreadTrip('screens')

port.on('message', (message: ToWorker) => {
  tripThread()
  if (message.kind === 'heard') return sessions.get(message.run)?.gate.heard()
  const { id, ask } = message
  answer(ask).then(
    (value) => say({ kind: 'reply', id, value }),
    (error: unknown) => say({ kind: 'failed', id, why: error instanceof Error ? error.message : String(error) }),
  )
})

async function answer(ask: Ask): Promise<Replies[Ask['kind']]> {
  switch (ask.kind) {
    case 'open':
      return open(ask.order)
    case 'close':
      return close(ask.run)
    case 'snapshot':
      return snapshot(ask)
    case 'dirtySnapshots':
      return dirtySnapshots()
    case 'paint':
      return (await sessionOf(ask.run)).paint(ask)
    case 'page':
      return (await sessionOf(ask.run)).history.page(ask)
    case 'read':
      return (await sessionOf(ask.run)).history.read(ask)
    case 'earlier':
      return earlierLines(ask)
    case 'picture':
      return pictureOf(ask.bytes, ask.format, ask.end)
    case 'gist':
      return gistOf(ask.bytes)
    case 'finished':
      return (await sessionOf(ask.run)).history.finished(ask)
    case 'newest':
      return (await sessionOf(ask.run)).history.newest(ask)
    case 'waitText':
      return waitText(ask)
    case 'waitIdle':
      return waitIdle(ask)
    case 'waitShown':
      return waitShown(ask)
    case 'cancelWait':
      waits.get(ask.wait)?.end()
      return null
    case 'ping':
      return null
  }
}

async function sessionOf(run: RunId): Promise<ScreenSession> {
  const opened = sessions.get(run)
  if (opened === undefined) throw new Error(`no screen for ${run}`)
  await opened.ready
  return opened.session
}

function open(order: SessionOrder): Promise<null> {
  const { run } = order
  sessions.get(run)?.session.close()
  sessions.get(run)?.gate.flush()
  const gate = new EventGate<ToldEvent>({ send: (events) => say({ kind: 'told', run, events }), dropped })
  const events: SessionEvents = {
    titled: (title) => gate.take({ kind: 'title', title }),
    moved: (cwd) => gate.take({ kind: 'cwd', cwd }),
    stated: (status) => gate.take({ kind: 'status', status }),
    rang: () => gate.take({ kind: 'bell' }),
    dropped,
    snapshotTaken: (differs) => say({ kind: 'snapshotTaken', run, differs }),
    trouble: (why) => say({ kind: 'trouble', run, why }),
    damaged: (faults) => say({ kind: 'damaged', run, faults }),
    changed: () => changed(run),
    ended: () => gate.flush(),
    isLookedAt: () => [...waits.values()].some((wait) => wait.run === run),
    passing: () => check(run),
  }
  const session = new ScreenSession(order, events, pace)
  const opened: Opened = { session, gate, ready: session.start(), isReady: false, dropped: {} }
  function dropped(kind: DroppedKind): void {
    opened.dropped[kind] = (opened.dropped[kind] ?? 0) + 1
  }
  sessions.set(run, opened)
  return opened.ready.then(() => {
    opened.isReady = true
    return null
  })
}

/** The picture of a program that has ended is kept after the last title it gave itself. */
async function snapshot({ run, ended, always }: Extract<Ask, { kind: 'snapshot' }>): Promise<SnapshotReply | null> {
  const taken = await (await sessionOf(run)).snapshot({ ended, always })
  if (ended) sessions.get(run)?.gate.flush()
  return taken
}

function close(run: RunId): null {
  for (const wait of [...waits.values()]) {
    if (wait.run !== run) continue
    wait.check()
    wait.end()
  }
  sessions.get(run)?.session.close()
  sessions.get(run)?.gate.flush()
  sessions.delete(run)
  return null
}

async function dirtySnapshots(): Promise<SnapshotReply[]> {
  const snapshots: SnapshotReply[] = []
  for (const { session, isReady } of sessions.values()) {
    // A screen that is not up to date must not replace the good one that was kept.
    const snapshot = isReady ? await session.snapshot({ ended: false }) : null
    if (snapshot !== null) snapshots.push(snapshot)
  }
  return snapshots
}

const checking = new Set<RunId>()

/** While nothing is printed there is no timer. */
const moved = new Set<RunId>()

function noteMoved(run: RunId): void {
  if (moved.size === 0) setTimeout(tellMoved, PRINTED_RATE.everyMs)
  moved.add(run)
}

function tellMoved(): void {
  const runs = [...moved].flatMap((run) => {
    const opened = sessions.get(run)
    if (!opened?.isReady) return []
    const { dropped } = opened
    opened.dropped = {}
    return [{ run, top: opened.session.screen.lines.top, ...(Object.keys(dropped).length === 0 ? {} : { dropped }) }]
  })
  moved.clear()
  say({ kind: 'printed', runs })
}

function changed(run: RunId): void {
  noteMoved(run)
  if (waits.size === 0 || checking.has(run)) return
  checking.add(run)
  setTimeout(() => {
    checking.delete(run)
    check(run)
  }, CHECK_EVERY_MS)
}

function check(run: RunId): void {
  for (const wait of [...waits.values()]) if (wait.run === run) wait.check()
}

/** Matches what was visible when the wait began, and everything printed since. */
async function waitText({ run, pattern, wait, since }: Extract<Ask, { kind: 'waitText' }>): Promise<WaitedText> {
  const session = await sessionOf(run)
  const timed = new TimedPattern(pattern)
  let mark = session.screen.mark()
  // From the mark on nothing is missed, so that what is looked through may end at any later moment.
  const before = since === null ? Promise.resolve(null) : lookThrough(since, timed).catch(tooSlowOrNothing)
  return await new Promise((resolve) => {
    const finish = (found: WaitedText): void => {
      if (!waits.delete(wait)) return
      mark.dispose()
      resolve(found)
    }
    const look = (): WaitedText => {
      try {
        return timed.find(session.screen.textSince(mark))
      } catch (error) {
        return tooSlowOrNothing(error)
      }
    }
    const check = (): void => {
      const found = look()
      if (found !== null) return finish(found)
      if (session.ended) return void before.then(finish)
      // What has scrolled away was seen: only the screen is looked at again, however much comes.
      const seen = mark
      mark = session.screen.mark()
      seen.dispose()
    }
    waits.set(wait, { run, check, end: () => finish(null) })
    void before.then((found) => found !== null && finish(found))
    check()
  })
}

/** What cannot be looked through has nothing to be found. */
const tooSlowOrNothing = (error: unknown): WaitedText => (error instanceof PatternTooSlow ? { isTooSlow: true } : null)

async function waitIdle({ run, ms, wait }: { run: RunId; ms: number; wait: number }): Promise<boolean> {
  const session = await sessionOf(run)
  return await new Promise((resolve) => {
    let timer: NodeJS.Timeout
    const finish = (quiet: boolean): void => {
      clearTimeout(timer)
      waits.delete(wait)
      resolve(quiet)
    }
    const look = (): void => {
      const left = session.lastOutputAt + ms - performance.now()
      if (session.ended)
        finish(false) // what has ended is not idle
      else if (left <= 0) finish(true)
      else timer = setTimeout(look, left)
    }
    waits.set(wait, { run, check: () => undefined, end: () => finish(false) })
    look()
  })
}

async function waitShown({ run, seq, wait }: Extract<Ask, { kind: 'waitShown' }>): Promise<boolean> {
  const session = await sessionOf(run)
  return await new Promise((resolve) => {
    const finish = (): void => {
      waits.delete(wait)
      resolve(session.seq >= seq)
    }
    const check = (): void => {
      if (session.seq >= seq || session.ended) finish()
    }
    waits.set(wait, { run, check, end: finish })
    check()
  })
}
