/** How each effect of `step` is carried out. They run in order per terminal; one that throws is tried again later. */
import { renameSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { assertNever } from '../base/assertNever.ts'
import type { RunId, TerminalId } from '../base/ids.ts'
import { readCard, readCards } from '../client/holderCards.ts'
import type { ToHolder } from '../wire/holder.ts'
import { CLOSED_SUFFIX, runDirectory, runSocket } from '../wire/paths.ts'
import { environmentFor } from '../workspace/environment.ts'
import { isShell } from '../workspace/planRestoreWakes.ts'
import { redactArgv } from '../workspace/redact.ts'
import { type Argv, argvFor, resumes } from '../workspace/resume.ts'
import { lastWordsIn } from '../workspace/resumeFailure.ts'
import type { Effect } from '../workspace/step.ts'
import type { Terminal, WakeMode } from '../workspace/terminal.ts'
import type { Daemon } from './daemon.ts'
import { isHolderAlive } from './holders.ts'
import type { RunEffect } from './registry.ts'
import { startHolder } from './startHolder.ts'
import { trip } from './trip.ts'

const SEGMENTS = 2
/** A process that was killed is gone within this time, on a busy machine too. */
const DYING_WITHIN_MS = 500
const LOOK_AGAIN_MS = 20

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
      return spawn(daemon, effect, terminal)
    case 'hearLastWords':
      return hearLastWords(daemon, effect.run, id, terminal)
    case 'settle':
      return settle(daemon, effect, id, terminal)
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
  if (terminal === null || terminal.private) return
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

/** What it showed is shown by no one, but its last line says why. Without it the reason is only shorter. */
async function hearLastWords(daemon: Daemon, run: RunId, id: TerminalId, terminal: Terminal | null): Promise<void> {
  if (terminal === null) return
  try {
    await daemon.ensureScreen(terminal, run)
    await daemon.screens.snapshot(run, { ended: true })
    const { content } = await daemon.screens.read(run, { history: 0, format: 'text' })
    daemon.react(id, { kind: 'lastWordsHeard', run, words: lastWordsIn(content) })
  } catch (error) {
    daemon.log.warn({ terminal: id, run, error: (error as Error).message }, 'the last words of a run could not be read')
  }
}

async function spawn(daemon: Daemon, { run, mode }: Extract<Effect, { kind: 'spawn' }>, terminal: Terminal | null): Promise<void> {
  if (terminal === null) return
  const { id, spec } = terminal
  const argv = argvFor(terminal, mode, daemon.config.resume)
  await noteChoice(daemon, { run, mode, terminal, argv })
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
    command: argv.command,
    args: argv.args,
    cwd: directoryFor(daemon, terminal, mode),
    env,
    size: spec.size,
    umask: daemon.umask,
    runDirectory: runDirectory(daemon.paths, run),
    socketPath: runSocket(daemon.paths, run),
    segmentBytes: Math.floor(daemon.config.logBytes / SEGMENTS),
    ...(terminal.private ? { journal: false } : {}),
  }
  const started = await startHolder(order, { home: daemon.paths.home, errorLog: daemon.paths.holdersLog })
  daemon.inherited.delete(run)
  trip('spawn:holder-ready')
  if (!started.ok) return daemon.react(id, { kind: 'startFailed', run, reason: started.reason })
  // Before the holder can tell of an end: only of what was started it can be said whether it failed to resume.
  const { pid, holderPid } = started.status
  daemon.react(id, { kind: 'started', run, pid, holderPid, mode: resumes(argv, terminal) ? 'resume' : 'fresh' })
  await daemon.holders.adopt(readCard(order.runDirectory))
  pruneRuns(daemon, terminal)
  await daemon.openScreen(run)
}

/** A shell goes on where it was; everything else is known by the directory it was started in. */
function directoryFor({ checkpoints }: Daemon, terminal: Terminal, mode: WakeMode): string {
  const { cwd } = terminal.spec
  if (mode === 'fresh' || terminal.state !== 'waking' || terminal.previousRun === null || !isShell(terminal)) return cwd
  const last = checkpoints.seen.placeOf(terminal.previousRun)
  return last !== null && statSync(last, { throwIfNoEntry: false })?.isDirectory() === true ? last : cwd
}

type Choice = { readonly run: RunId; readonly mode: WakeMode; readonly terminal: Terminal; readonly argv: Argv }

/** So that "why did it start that?" has an answer the next day. A full disk costs the answer, not the start. */
async function noteChoice(daemon: Daemon, { run, mode, terminal, argv }: Choice): Promise<void> {
  const details = { run, mode, from: argv.from, argv: redactArgv([argv.command, ...argv.args]), restore: terminal.restore.kind }
  daemon.log.info({ terminal: terminal.id, ...details }, 'the arguments of a start are chosen')
  if (terminal.state === 'waking' && terminal.previousRun === null) return // a new terminal: nothing was there to be chosen from
  const entry = { session: daemon.checkpoints.session, terminal: terminal.id, what: 'wake', details }
  await daemon.store.appendAudit(entry).catch((error: Error) => daemon.log.warn({ error: error.message }, 'the choice is not in the audit'))
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
async function settle(
  daemon: Daemon,
  { run, graceMs }: Extract<Effect, { kind: 'settle' }>,
  id: TerminalId,
  terminal: Terminal | null,
): Promise<void> {
  if (daemon.holders.card(run) === null) return // it has not started: `started` asks again
  if (terminal !== null) await daemon.checkpoints.lookAt(terminal)
  await tellHolder(daemon, run, { kind: 'signal', request: { signal: 'SIGHUP', to: 'tree' } })
  daemon.holders.send(run, { kind: 'signal', request: { signal: 'SIGCONT', to: 'tree' } })
  setTimeout(() => daemon.react(id, { kind: 'settleTimedOut', run }), graceMs).unref()
}

const kill = (daemon: Daemon, run: RunId): Promise<void> =>
  tellHolder(daemon, run, { kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })

/** A holder that is killed closes its links a moment before it is gone: then there is nobody left to tell, and its end is on its way. */
async function tellHolder({ holders }: Daemon, run: RunId, message: ToHolder): Promise<void> {
  const deadline = performance.now() + DYING_WITHIN_MS
  for (;;) {
    const card = holders.card(run)
    if (card === null || holders.send(run, message) || !isHolderAlive(card)) return
    if (performance.now() > deadline) throw new Error('its holder does not answer')
    await delay(LOOK_AGAIN_MS)
  }
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
