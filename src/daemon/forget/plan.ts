/** From what the user wants to be forgotten to the terminals and runs that are meant. */
import { isId, type RunId, type TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { ForgetOrder, PastTerminal } from '../../store/forgetOrder.ts'
import type { Store } from '../../store/store.ts'
import type { ForgetPlanView, ForgetWhat } from '../../wire/commands/forget.ts'
import type { Paths } from '../../wire/paths.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import { isOnTrial } from '../../workspace/terminal/resumeFailure.ts'
import { runsNamedBy, type Terminal } from '../../workspace/terminal/terminal.ts'
import type { ClosedTerminals } from '../terminals/closedTerminals.ts'
import { outOfReach } from '../terminals/endAndClose.ts'
import type { Registry } from '../terminals/registry.ts'
import { copiesOnDisk, droppedOnDisk, type RunOnDisk, runsOnDisk } from './onDisk.ts'

export type ForgetWish = { readonly what: ForgetWhat; readonly force?: boolean | undefined }
export type ForgetPlan = { readonly order: ForgetOrder; readonly view: ForgetPlanView }

type Known = {
  readonly id: TerminalId
  readonly name: string | null
  readonly state: ForgetPlanView['terminals'][number]['state']
  /** When it was last used, or seen. */
  readonly usedAt: number
}

export type PlanParts = {
  readonly paths: Paths
  readonly store: Store
  readonly registry: Registry
  readonly closed: ClosedTerminals
}

export async function planForget(daemon: PlanParts, wish: ForgetWish): Promise<Result<ForgetPlan>> {
  if (wish.what.kind === 'before' && wish.what.at > Date.now()) return refused(refusals.forgetFuture())
  const [past, runs] = [await daemon.store.pastTerminals(), runsOnDisk(daemon.paths)]
  const known = knownTerminals(daemon, past, runs)
  const chosen = chosenOf(known, wish.what)
  if (!chosen.ok) return chosen
  for (const { id, name } of chosen.value) {
    const refusal = refusalFor(daemon.registry.get(id), { called: name ?? id, force: wish.force === true })
    if (refusal !== null) return refusal
  }
  const order = orderFor(daemon, { what: wish.what, chosen: chosen.value, past, runs })
  return done({ order, view: await viewOf(daemon, { order, chosen: chosen.value, runs }) })
}

/** Open terminals first, then closed ones that can be reopened, then those that are only remembered. */
function knownTerminals(daemon: PlanParts, past: readonly PastTerminal[], runs: readonly RunOnDisk[]): readonly Known[] {
  const known = new Map<TerminalId, Known>()
  const add = (terminal: Known): void => void (known.has(terminal.id) || known.set(terminal.id, terminal))
  for (const terminal of daemon.registry.all()) add(asKnown(terminal))
  for (const { terminal, at } of daemon.closed.all()) add({ id: terminal.id, name: terminal.name, state: 'closed', usedAt: at })
  for (const { id, name, lastSeen } of past) add({ id, name, state: 'gone', usedAt: lastSeen })
  // A holder that lives is about to be adopted: its terminal is not gone.
  for (const { terminal: id, endedAt, isAlive } of runs)
    if (id !== null && !isAlive) add({ id, name: null, state: 'gone', usedAt: endedAt })
  for (const { terminal: id } of droppedOnDisk(daemon.paths)) if (isId('terminal', id)) add({ id, name: null, state: 'gone', usedAt: 0 })
  return [...known.values()]
}

function asKnown(terminal: Terminal): Known {
  const { id, name, touched } = terminal
  if (terminal.state !== 'asleep') return { id, name, state: 'running', usedAt: Number.POSITIVE_INFINITY }
  return { id, name, state: 'asleep', usedAt: Math.max(touched, terminal.since) }
}

function chosenOf(known: readonly Known[], what: ForgetWhat): Result<readonly Known[]> {
  if (what.kind === 'closed') return done(known.filter(({ state }) => state === 'closed' || state === 'gone'))
  if (what.kind === 'before') return done(known.filter(({ state, usedAt }) => state !== 'running' && usedAt < what.at))
  const chosen = new Map<TerminalId, Known>()
  for (const ref of what.terminals) {
    const found = oneOf(known, ref)
    if (!found.ok) return found
    chosen.set(found.value.id, found.value)
  }
  return done([...chosen.values()])
}

/** Names are reused: an open terminal comes before one that can be reopened. */
function oneOf(known: readonly Known[], ref: string): Result<Known> {
  const isHere = ({ state }: Known): boolean => state === 'running' || state === 'asleep'
  const ranks = [known.filter(isHere), known.filter(({ state }) => state === 'closed'), known.filter(({ state }) => state === 'gone')]
  for (const rank of ranks) {
    const found = findTerminal(ref, rank)
    if (found.ok || found.refusal.code === 'terminal-ambiguous') return found
  }
  return refused(refusals.nothingKnownOf(ref))
}

function refusalFor(
  terminal: Terminal | null,
  { called, force }: { readonly called: string; readonly force: boolean },
): ReturnType<typeof refused> | null {
  if (terminal === null || terminal.state === 'asleep') return null
  return force ? outOfReach(terminal) : refused(refusals.forgetRunning(called))
}

type Chosen = {
  readonly what: ForgetWhat
  readonly chosen: readonly Known[]
  readonly past: readonly PastTerminal[]
  readonly runs: readonly RunOnDisk[]
}

function orderFor(daemon: PlanParts, { what, chosen, past, runs }: Chosen): ForgetOrder {
  const terminals = chosen.map(({ id }) => id)
  const isChosen = (id: TerminalId | null): boolean => id !== null && terminals.includes(id)
  const named = terminals.flatMap((id) => {
    const record = daemon.registry.get(id) ?? daemon.closed.get(id)?.terminal ?? null
    return record === null ? [] : runsNamedBy(record)
  })
  const own = runs.filter(({ terminal }) => isChosen(terminal)).map(({ run }) => run)
  const seen = past.filter(({ id }) => isChosen(id)).flatMap((terminal) => terminal.runs)
  const before = what.kind === 'before' ? what.at : null
  const old = before === null ? [] : runs.filter((run) => run.endedAt < before && isPast(daemon, run)).map(({ run }) => run)
  return { terminals, runs: [...new Set<RunId>([...named, ...own, ...seen, ...old])], before }
}

/** Not what its terminal shows, nor what a start that may still fail would go back to. */
function isPast(daemon: PlanParts, { run, terminal: id, isAlive }: RunOnDisk): boolean {
  const terminal = id === null ? null : (daemon.registry.get(id) ?? daemon.closed.get(id)?.terminal ?? null)
  if (isAlive || terminal?.state === 'waking' || (terminal?.state === 'live' && isOnTrial(terminal, Date.now()))) return false
  const shown = terminal === null ? null : terminal.state === 'asleep' ? terminal.lastRun : terminal.run
  return run !== shown && run !== terminal?.lastRun
}

async function viewOf(
  daemon: PlanParts,
  { order, chosen, runs }: Pick<Chosen, 'chosen' | 'runs'> & { order: ForgetOrder },
): Promise<ForgetPlanView> {
  const { bytes, ...traces } = await daemon.store.traces(order)
  const logs = runs.filter(({ run, terminal }) => order.runs.includes(run) || (terminal !== null && order.terminals.includes(terminal)))
  const dropped = droppedOnDisk(daemon.paths).filter(({ terminal }) => order.terminals.some((id) => id === terminal))
  return {
    terminals: chosen.map(({ id, name, state }) => ({ id, name, state })),
    runs: logs.length,
    ...traces,
    files: dropped.reduce((sum, { count }) => sum + count, 0),
    copies: copiesOnDisk(daemon.paths).length,
    bytes: bytes + [...logs, ...dropped].reduce((sum, part) => sum + part.bytes, 0),
  }
}
