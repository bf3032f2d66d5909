/** A worker thread that owns screens. Floods are parsed here, so that the main thread never waits for them. */
import { platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RunId } from '../base/ids.ts'
import { armedThreadTrip } from '../store/trip.ts'
import { earlierLines } from './earlierLines.ts'
import { lookThrough } from './lookThrough.ts'
import { gistOf, pictureOf } from './picture.ts'
import type { Ask, FromWorker, Replies, SessionOrder, SnapshotReply, ToWorker } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'

const NICE = 5

if (parentPort === null) throw new Error('this file is a worker')
const port = parentPort
// On Linux this is the thread's own priority: whoever types comes before whoever draws what nobody has asked for yet.
if (platform() === 'linux') setPriority(0, NICE)
const say = (message: FromWorker): void => port.postMessage(message)

type Wait = { readonly run: RunId; check(): void; end(): void }

/** `ready` settles when everything that existed at the start is on the screen; before that there is nothing to show or keep. */
type Opened = { readonly session: ScreenSession; readonly ready: Promise<void>; isReady: boolean }

const sessions = new Map<RunId, Opened>()
const waits = new Map<number, Wait>()
const CHECK_EVERY_MS = 30 // a waiter looks at the text at most this often while output pours in

const tripThread = armedThreadTrip('screens')

port.on('message', ({ id, ask }: ToWorker) => {
  tripThread()
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
      return (await sessionOf(ask.run)).snapshot({ ended: ask.ended, always: ask.always })
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

function sessionFor(order: SessionOrder): ScreenSession {
  return new ScreenSession(order, {
    titled: (title) => say({ kind: 'titled', run: order.run, title }),
    moved: (cwd) => say({ kind: 'moved', run: order.run, cwd }),
    stated: (status) => say({ kind: 'stated', run: order.run, status }),
    rang: () => say({ kind: 'rang', run: order.run }),
    snapshotTaken: (differs) => say({ kind: 'snapshotTaken', run: order.run, differs }),
    trouble: (why) => say({ kind: 'trouble', run: order.run, why }),
    damaged: (faults) => say({ kind: 'damaged', run: order.run, faults }),
    changed: () => changed(order.run),
    isLookedAt: () => [...waits.values()].some((wait) => wait.run === order.run),
    passing: () => check(order.run),
  })
}

async function open(order: SessionOrder): Promise<null> {
  sessions.get(order.run)?.session.close()
  const session = sessionFor(order)
  const opened: Opened = { session, ready: session.start(), isReady: false }
  sessions.set(order.run, opened)
  await opened.ready
  opened.isReady = true
  return null
}

function close(run: RunId): null {
  for (const wait of [...waits.values()]) {
    if (wait.run !== run) continue
    wait.check()
    wait.end()
  }
  sessions.get(run)?.session.close()
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

/** Whoever indexes is told this often at most; while nothing is printed there is no timer. */
const MOVED_EVERY_MS = 1_000
const moved = new Set<RunId>()

function noteMoved(run: RunId): void {
  if (moved.size === 0) setTimeout(tellMoved, MOVED_EVERY_MS)
  moved.add(run)
}

function tellMoved(): void {
  const runs = [...moved].flatMap((run) => {
    const opened = sessions.get(run)
    return opened?.isReady ? [{ run, top: opened.session.screen.lines.top }] : []
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
async function waitText({ run, pattern, wait, since }: Extract<Ask, { kind: 'waitText' }>): Promise<string | null> {
  const session = await sessionOf(run)
  const expression = new RegExp(pattern, 'm')
  let mark = session.screen.mark()
  // From the mark on nothing is missed, so that what is looked through may end at any later moment.
  const before = since === null ? Promise.resolve(null) : lookThrough(since, expression).catch(() => null)
  return await new Promise((resolve) => {
    const finish = (found: string | null): void => {
      if (!waits.delete(wait)) return
      mark.dispose()
      resolve(found)
    }
    const check = (): void => {
      const found = expression.exec(session.screen.textSince(mark))
      if (found !== null) return finish(found[0])
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
