/** How each effect of `step` is carried out. They run in order per terminal; one that throws is tried again later. */
import { rmSync } from 'node:fs'
import { assertNever } from '../../base/assertNever.ts'
import type { RunId, SessionId, TerminalId } from '../../base/ids.ts'
import { readCard, readCards } from '../../client/holderCards.ts'
import type { Store } from '../../store/store.ts'
import type { HolderCard, HolderOrder, HolderStatus } from '../../wire/holder.ts'
import { runDirectory } from '../../wire/paths.ts'
import { redactArgv } from '../../workspace/redact/redact.ts'
import { type ComesBack, comesBack } from '../../workspace/resume/comesBack.ts'
import { endOf } from '../../workspace/terminal/beforeWake.ts'
import type { Effect } from '../../workspace/terminal/events.ts'
import type { Argv } from '../../workspace/terminal/resume.ts'
import { lastWordsIn } from '../../workspace/terminal/resumeFailure.ts'
import type { Terminal, WakeMode } from '../../workspace/terminal/terminal.ts'
import { endPredecessors } from '../agents/predecessors.ts'
import { programOf } from '../agents/program.ts'
import { checkedStart, reasonOf } from '../agents/resumeCheck.ts'
import type { Verification } from '../agents/verification.ts'
import { waysOf } from '../agents/ways.ts'
import type { StartWorld } from '../agents/world.ts'
import { ownEnvironment } from '../base/programs.ts'
import { trip } from '../base/trip.ts'
import { writeRunBefore } from '../history/runBefore.ts'
import type { ClosedTerminals } from './closedTerminals.ts'
import type { Endings } from './endings.ts'
import type { RunEffect } from './registry.ts'
import type { WakePhases } from './wakePhases.ts'

type Started = { readonly ok: true; readonly status: HolderStatus } | { readonly ok: false; readonly reason: string }

/** What the effects are done to. */
export type EffectsWorld = StartWorld & {
  readonly umask: number
  readonly store: Pick<Store, 'keepTerminal' | 'keepSnapshot' | 'appendAudit'>
  readonly checkpoints: { readonly session: SessionId }
  readonly agents: { woken(run: RunId, back: ComesBack): void; ended(run: RunId): void }
  readonly verification: Pick<Verification, 'expect' | 'forget'>
  readonly endings: Pick<Endings, 'begin' | 'kill' | 'released'>
  readonly closed: Pick<ClosedTerminals, 'close'>
  readonly wakePhases: Pick<WakePhases, 'resuming' | 'watch'>
  readonly holders: { card(run: RunId): HolderCard | null; release(run: RunId): void }
  readonly backends: {
    toStart(terminal: Terminal): Promise<{
      readonly kind: string
      spawn(order: Omit<HolderOrder, 'runDirectory' | 'socketPath' | 'segmentBytes' | 'tmux'>): Promise<Started>
      adopt(card: HolderCard): Promise<unknown>
    }>
  }
  readonly screens: {
    has(run: RunId): boolean
    close(run: RunId): Promise<void>
    snapshot(run: RunId, options: { ended: boolean; always?: boolean }): Promise<Parameters<Store['keepSnapshot']>[1] | null>
    read(run: RunId, options: { readonly history: number; readonly format: 'text' }): Promise<{ readonly content: string }>
  }
  readonly runScreens: {
    ensure(terminal: Terminal, run: RunId): Promise<void>
    open(run: RunId): Promise<void>
    readonly deferred: { forget(run: RunId): void }
  }
  readonly runs: { learnSize(run: RunId): void }
  readonly programs: { follow(id: TerminalId): void }
  readonly files: { forget(id: TerminalId): void }
  readonly audience: { announceTerminal(id: TerminalId): void }
  /** The environment a terminal was asked for with; used at its start and never kept. */
  readonly inherited: Map<RunId, Readonly<Record<string, string>>>
  readonly janitor: { look(): void }
}

type Spawn = Extract<Effect, { kind: 'spawn' }>

export function makeRunEffect(daemon: EffectsWorld): RunEffect {
  return async (effect, id, terminal) => {
    trip(`before:${effect.kind}`)
    await perform(daemon, effect, id, terminal)
    trip(`after:${effect.kind}`)
  }
}

async function perform(daemon: EffectsWorld, effect: Effect, id: TerminalId, terminal: Terminal | null): Promise<void> {
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
      return daemon.endings.begin(effect, terminal)
    case 'kill':
      return daemon.endings.kill(effect.run)
    case 'releaseHolder':
      daemon.holders.release(effect.run)
      daemon.endings.released(effect.run)
      daemon.verification.forget(effect.run)
      daemon.agents.ended(effect.run)
      daemon.runScreens.deferred.forget(effect.run)
      await daemon.screens.close(effect.run)
      if (terminal?.private === true) daemon.files.forget(id) // nothing of it is kept
      daemon.janitor.look()
      return
    case 'forget':
      return daemon.closed.close(effect.record)
    case 'announce':
      return daemon.audience.announceTerminal(id)
  }
  assertNever(effect)
}

/** The log on disk holds the same bytes, so a screen that cannot be had is no reason to stop. */
async function keepScreen(daemon: EffectsWorld, run: RunId, id: TerminalId, terminal: Terminal | null): Promise<void> {
  if (terminal === null || terminal.private) return
  try {
    // A program that ends at once is over before its screen was opened.
    await daemon.runScreens.ensure(terminal, run)
    const ended = terminal.state === 'asleep' && terminal.because.kind === 'exited'
    // While a program is ended no other one is kept, not even one that is on its way.
    const snapshot = await daemon.screens.snapshot(run, { ended, always: terminal.state === 'settling' })
    if (snapshot !== null) await daemon.store.keepSnapshot(id, snapshot)
    // Without a holder nothing more will come; what is shown from now on is read from disk.
    if (terminal.state === 'asleep' && terminal.because.kind === 'lost') await daemon.screens.close(run)
  } catch (error) {
    daemon.log.warn({ terminal: id, run, error: (error as Error).message }, 'the last screen could not be kept')
  }
}

/** What it showed is shown by no one, but its last line says why. Without it the reason is only shorter. */
async function hearLastWords(daemon: EffectsWorld, run: RunId, id: TerminalId, terminal: Terminal | null): Promise<void> {
  if (terminal === null || terminal.private) return // they would be kept with the record
  try {
    await daemon.runScreens.ensure(terminal, run)
    await daemon.screens.snapshot(run, { ended: true })
    const { content } = await daemon.screens.read(run, { history: 0, format: 'text' })
    daemon.react(id, { kind: 'lastWordsHeard', run, words: lastWordsIn(content) })
  } catch (error) {
    daemon.log.warn({ terminal: id, run, error: (error as Error).message }, 'the last words of a run could not be read')
  }
}

async function spawn(daemon: EffectsWorld, effect: Spawn, terminal: Terminal | null): Promise<void> {
  if (terminal === null) return
  const { run, mode } = effect
  const { id } = terminal
  const inherited = daemon.inherited.get(run) ?? ownEnvironment()
  const backend = await daemon.backends.toStart(terminal)
  const checked = await checkedStart(daemon, terminal, { mode, inherited })
  if (!checked.ok) return daemon.react(id, { kind: 'startFailed', run, reason: reasonOf(checked.refusal) })
  const start = checked.value
  await noteChoice(daemon, { run, mode, terminal, argv: start.argv })
  if (effect.after !== undefined) daemon.agents.woken(run, comesBack(terminal, start.argv, waysOf(daemon.config)))
  if (start.isByLogin) await endPredecessors(daemon, id)
  const order = {
    ...programOf(daemon, { terminal, run, start, inherited }),
    terminal: id,
    run,
    cwd: start.cwd,
    size: terminal.spec.size,
    umask: daemon.umask,
    ...(terminal.private ? { journal: false } : {}),
  }
  daemon.programs.follow(id) // it may use its socket at once
  const started = await backend.spawn(order)
  daemon.inherited.delete(run)
  trip('spawn:holder-ready')
  if (!started.ok) return daemon.react(id, { kind: 'startFailed', run, reason: started.reason })
  noteBefore(daemon, { ...effect, terminal, isResume: start.isResume })
  // Before the holder can tell of an end: only of what was started it can be said whether it failed to resume.
  const { pid, holderPid } = started.status
  if (start.isResume) daemon.wakePhases.resuming(id, run)
  daemon.react(id, { kind: 'started', run, pid, holderPid, mode: start.isResume ? 'resume' : 'fresh' })
  const { restore } = terminal
  if (start.argv.from === 'conversation' && restore.kind === 'conversation')
    daemon.verification.expect({ terminal: id, run, agent: restore.agent, id: restore.id })
  await backend.adopt(readCard(runDirectory(daemon.paths, run)))
  if (backend.kind === 'guest') daemon.runs.learnSize(run)
  pruneRuns(daemon, terminal)
  await daemon.runScreens.open(run)
  if (daemon.screens.has(run)) void daemon.wakePhases.watch(run)
}

type Woken = Spawn & { readonly terminal: Terminal; readonly isResume: boolean }

/** Without it the history begins with this run, which is no reason not to start it. */
function noteBefore(daemon: EffectsWorld, { run, after, terminal, isResume }: Woken): void {
  if (after === undefined || terminal.private || terminal.state !== 'waking' || terminal.previousRun === null) return
  const before = { run: terminal.previousRun, end: endOf(after.because), since: after.since, woken: terminal.since, isResume }
  try {
    writeRunBefore(runDirectory(daemon.paths, run), before)
  } catch (error) {
    daemon.log.warn({ terminal: terminal.id, run, error: (error as Error).message }, 'what was before a wake could not be noted')
  }
}

type Choice = { readonly run: RunId; readonly mode: WakeMode; readonly terminal: Terminal; readonly argv: Argv }

/** So that "why did it start that?" has an answer the next day. A full disk costs the answer, not the start. */
async function noteChoice(daemon: EffectsWorld, { run, mode, terminal, argv }: Choice): Promise<void> {
  const said = terminal.private ? [argv.command] : redactArgv([argv.command, ...argv.args])
  const details = { run, mode, from: argv.from, argv: said, restore: terminal.restore.kind }
  daemon.log.info({ terminal: terminal.id, ...details }, 'the arguments of a start are chosen')
  if (terminal.state === 'waking' && terminal.previousRun === null) return // a new terminal: nothing was there to be chosen from
  const entry = { session: daemon.checkpoints.session, terminal: terminal.id, what: 'wake', details }
  await daemon.store.appendAudit(entry).catch((error: Error) => daemon.log.warn({ error: error.message }, 'the choice is not in the audit'))
}

/** A terminal keeps the log of its newest run and of the one before. */
function pruneRuns(daemon: EffectsWorld, terminal: Terminal): void {
  if (terminal.state !== 'waking') return
  const kept = [terminal.run, terminal.previousRun]
  for (const run of runsOf(daemon, terminal.id)) {
    if (!kept.includes(run) && daemon.holders.card(run) === null) rmSync(runDirectory(daemon.paths, run), { recursive: true, force: true })
  }
}

function runsOf(daemon: EffectsWorld, id: TerminalId): RunId[] {
  return readCards(daemon.paths).cards.flatMap(({ terminal, run }) => (terminal === id ? [run] : []))
}
