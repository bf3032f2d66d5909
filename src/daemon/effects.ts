/** How each effect of `step` is carried out. They run in order per terminal; one that throws is tried again later. */
import { renameSync, rmSync } from 'node:fs'
import { assertNever } from '../base/assertNever.ts'
import type { RunId, TerminalId } from '../base/ids.ts'
import { readCard, readCards } from '../client/holderCards.ts'
import { CLOSED_SUFFIX, runDirectory, runSocket } from '../wire/paths.ts'
import { environmentFor } from '../workspace/environment.ts'
import type { Effect } from '../workspace/step.ts'
import type { Terminal } from '../workspace/terminal.ts'
import type { Daemon } from './daemon.ts'
import type { RunEffect } from './registry.ts'
import { startHolder } from './startHolder.ts'
import { trip } from './trip.ts'

const SEGMENTS = 2

export function makeRunEffect(daemon: Daemon): RunEffect {
  return async (effect, id, terminal) => {
    trip(`before:${effect.kind}`)
    await perform(daemon, effect, id, terminal)
    trip(`after:${effect.kind}`)
  }
}

async function perform(daemon: Daemon, effect: Effect, id: TerminalId, terminal: Terminal | null): Promise<void> {
  switch (effect.kind) {
    case 'keep':
      if (terminal !== null) await daemon.store.keepTerminal(terminal)
      return
    case 'keepScreen':
      return keepScreen(daemon, effect.run, id, terminal)
    case 'spawn':
      return spawn(daemon, effect.run, terminal)
    case 'settle':
      return settle(daemon, effect.run, id, effect.graceMs)
    case 'kill':
      return kill(daemon, effect.run)
    case 'releaseHolder':
      daemon.holders.release(effect.run)
      await daemon.screens.close(effect.run)
      daemon.runEnded()
      return
    case 'forget':
      return forget(daemon, id)
    case 'announce':
      return daemon.announceTerminal(id)
  }
  assertNever(effect)
}

/** The log on disk holds the same bytes, so a screen that cannot be had is no reason to stop. */
async function keepScreen(daemon: Daemon, run: RunId, id: TerminalId, terminal: Terminal | null): Promise<void> {
  if (terminal === null) return
  try {
    // A program that ends at once is over before its screen was opened.
    await daemon.ensureScreen(terminal, run)
    const snapshot = await daemon.screens.snapshot(run, { ended: terminal.state === 'asleep' && terminal.because.kind === 'exited' })
    if (snapshot !== null) await daemon.store.keepSnapshot(id, snapshot)
    // Without a holder nothing more will come; what is shown from now on is read from disk.
    if (terminal.state === 'asleep' && terminal.because.kind === 'lost') await daemon.screens.close(run)
  } catch (error) {
    daemon.log.warn({ terminal: id, run, error: (error as Error).message }, 'the last screen could not be kept')
  }
}

async function spawn(daemon: Daemon, run: RunId, terminal: Terminal | null): Promise<void> {
  if (terminal === null) return
  const { id, spec } = terminal
  const env = environmentFor({
    inherited: daemon.inherited.get(run) ?? process.env,
    allow: daemon.config.env.allow,
    set: spec.env,
    terminal: id,
    socket: daemon.paths.daemonSocket,
    home: daemon.paths.home,
  })
  const order = {
    terminal: id,
    run,
    command: spec.command,
    args: spec.args,
    cwd: spec.cwd,
    env,
    size: spec.size,
    umask: daemon.umask,
    runDirectory: runDirectory(daemon.paths, run),
    socketPath: runSocket(daemon.paths, run),
    segmentBytes: Math.floor(daemon.config.logBytes / SEGMENTS),
  }
  const started = await startHolder(order, { home: daemon.paths.home, errorLog: daemon.paths.holdersLog })
  daemon.inherited.delete(run)
  trip('spawn:holder-ready')
  if (!started.ok) return daemon.react(id, { kind: 'startFailed', run, reason: started.reason })
  await daemon.holders.adopt(readCard(order.runDirectory))
  daemon.react(id, { kind: 'started', run, pid: started.status.pid, holderPid: started.status.holderPid })
  pruneRuns(daemon, terminal)
  await daemon.openScreen(run)
}

/** A terminal keeps the log of its newest run and of the one before. */
function pruneRuns(daemon: Daemon, terminal: Terminal): void {
  if (terminal.state !== 'waking') return
  const kept = [terminal.run, terminal.previousRun]
  for (const run of runsOf(daemon, terminal.id)) {
    if (!kept.includes(run) && daemon.holders.card(run) === null) rmSync(runDirectory(daemon.paths, run), { recursive: true, force: true })
  }
}

/** Hanging up is what closing a window does; every program knows it. Stopped jobs must run to hear it. */
function settle(daemon: Daemon, run: RunId, id: TerminalId, graceMs: number): void {
  if (daemon.holders.card(run) === null) return // it has not started: `started` asks again
  if (!daemon.holders.send(run, { kind: 'signal', request: { signal: 'SIGHUP', to: 'tree' } }))
    throw new Error('its holder does not answer')
  daemon.holders.send(run, { kind: 'signal', request: { signal: 'SIGCONT', to: 'tree' } })
  setTimeout(() => daemon.react(id, { kind: 'settleTimedOut', run }), graceMs).unref()
}

function kill(daemon: Daemon, run: RunId): void {
  if (daemon.holders.card(run) === null) return
  if (!daemon.holders.send(run, { kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } }))
    throw new Error('its holder does not answer')
}

async function forget(daemon: Daemon, id: TerminalId): Promise<void> {
  const directories = runsOf(daemon, id).map((run) => runDirectory(daemon.paths, run))
  for (const directory of directories) renameSync(directory, directory + CLOSED_SUFFIX)
  trip('forget:runs-renamed')
  await daemon.store.forgetTerminal(id)
  trip('forget:record-gone')
  await daemon.removeFromTopology(id)
  for (const directory of directories) rmSync(directory + CLOSED_SUFFIX, { recursive: true, force: true })
}

function runsOf(daemon: Daemon, id: TerminalId): RunId[] {
  return readCards(daemon.paths).cards.flatMap(({ terminal, run }) => (terminal === id ? [run] : []))
}
