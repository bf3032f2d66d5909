/** Terminals that went down with the machine: what is said of them, and waking them all, one after the other. */
import { assertNever } from '../base/assertNever.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { DaemonClient } from '../client/daemonClient.ts'
import type { Params } from '../wire/commands.ts'
import type { RecoveryView } from '../wire/recoveryView.ts'
import type { TerminalView } from '../wire/view.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { refusalText } from './refusalText.ts'

/** Most programs that cannot resume say so within this time; of those that take longer, `ls` and the page tell. */
const WATCH_MS = 2_000
/** What a program said last is told a moment after its end. */
const LAST_WORDS_MS = 500
/** Where nothing moves for this long, nothing will. */
const STUCK_AFTER_MS = 30_000

/** Below the list of terminals. */
export function lostLine({ happened, terminals: { length } }: RecoveryView): string {
  const were = length === 1 ? '1 terminal was' : `${length} terminals were`
  return `${were} running ${whenText(happened)}: holdfast wake --lost resumes ${length === 1 ? 'it' : 'them'}, with --later ${length === 1 ? 'it stays' : 'they stay'} asleep.`
}

function whenText(happened: RecoveryView['happened']): string {
  switch (happened) {
    case 'reboot':
      return 'when the machine restarted'
    case 'shutdown':
      return 'when the machine was shut down'
    case 'crash':
      return 'when everything was ended'
  }
  return assertNever(happened)
}

/** Null also where the daemon is of a version that asks nothing. */
export async function lostOf(host: Pick<Host, 'ask'>): Promise<RecoveryView | null> {
  const shown = await host.ask('recovery.show', {})
  return shown.ok ? shown.value.result : null
}

type Woken = {
  readonly id: string
  readonly name: string | null
  readonly woken: boolean
  readonly reason: string | null
  /** What came back; null where nothing did. */
  readonly back: TerminalView['back']
}
type How = { readonly mode: NonNullable<Params<'recovery.answer'>['mode']>; readonly isJson: boolean }

export async function leaveLost(host: Host, { isJson }: Pick<How, 'isJson'>): Promise<Result<ExitCode>> {
  const lost = await lostOf(host)
  const left = lost?.terminals.length ?? 0
  if (lost !== null) {
    const answer = await host.ask('recovery.answer', { wake: [] })
    if (!answer.ok && answer.refusal.code !== 'recovery-answered') return answer
  }
  if (isJson) host.printJson({ left: lost?.terminals ?? [] })
  else
    host.print(
      left === 0 ? NOTHING_LOST : `${left === 1 ? '1 terminal stays' : `${left} terminals stay`} asleep; holdfast wake ID wakes one.`,
    )
  return done(EXIT.done)
}

const NOTHING_LOST = 'No terminal waits to be woken.'

export async function wakeLost(host: Host, { mode, isJson }: How): Promise<Result<ExitCode>> {
  const link = await host.daemon()
  if (!link.ok) return link
  const lost = await lostOf(host)
  if (lost === null) {
    if (isJson) host.printJson([])
    else host.print(NOTHING_LOST)
    return done(EXIT.done)
  }
  const follower = new Follower(link.value, (each, { index, of }) => {
    if (!isJson) host.complain(`${index} of ${of}  ${wokenText(each)}`)
  })
  const answer = await host.ask('recovery.answer', { wake: lost.terminals, mode })
  if (!answer.ok) return answer
  const woken = await follower.follow(answer.value.result.wakes)
  if (isJson) host.printJson(woken)
  else host.print(summaryText(woken))
  return outcomeOf(woken, host)
}

const wokenText = ({ id, name, woken, reason, back }: Woken): string =>
  `${name ?? id}  ${woken ? (back?.text ?? 'running again') : `could not be woken: ${reason}`}`

function summaryText(woken: readonly Woken[]): string {
  const awake = woken.filter((each) => each.woken).length
  return awake === woken.length ? `${awake} running again.` : `${awake} of ${woken.length} running again.`
}

function outcomeOf(woken: readonly Woken[], host: Host): Result<ExitCode> {
  const failures = woken
    .filter((each) => !each.woken)
    .map(({ id, name, reason }) => refusals.resumeFailed(name ?? id, reason ?? 'it stayed asleep'))
  const last = failures.pop()
  for (const refusal of failures) host.complain(refusalText(refusal))
  return last === undefined ? done(EXIT.done) : refused(last)
}

type Tell = (woken: Woken, count: { readonly index: number; readonly of: number }) => void

/** Follows terminals that are being woken, until each runs for a while or does not. */
class Follower {
  private readonly seen = new Map<string, TerminalView | null>()
  private readonly liveSince = new Map<string, number>()
  private readonly heardAt = new Map<string, number>()
  private changedAt = performance.now()
  private isGone = false

  constructor(
    client: DaemonClient,
    private readonly tell: Tell,
  ) {
    client.onState(({ kind }) => {
      this.isGone = kind !== 'connected'
    })
    client.watch({
      onAll: ({ terminals }) => {
        for (const terminal of terminals) this.look(terminal)
      },
      onEvent: (event) => {
        if (event.kind === 'terminal') this.look(event.terminal)
        if (event.kind === 'closed') this.seen.set(event.terminal, null)
      },
    })
  }

  async follow(ids: readonly string[]): Promise<readonly Woken[]> {
    const told = new Map<string, Woken>()
    while (told.size < ids.length) {
      for (const id of ids.filter((each) => !told.has(each))) {
        const woken = this.isOver(id) ? this.wokenOf(id) : null
        if (woken === null) continue
        told.set(id, woken)
        this.tell(woken, { index: told.size, of: ids.length })
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return ids.flatMap((id) => told.get(id) ?? [])
  }

  private look(terminal: TerminalView): void {
    this.changedAt = performance.now()
    this.heardAt.set(terminal.id, performance.now())
    this.seen.set(terminal.id, terminal)
    if (terminal.state !== 'live') this.liveSince.delete(terminal.id)
    else if (!this.liveSince.has(terminal.id)) this.liveSince.set(terminal.id, performance.now())
  }

  private isOver(id: string): boolean {
    const terminal = this.seen.get(id)
    if (this.isGone || terminal === null) return true
    const since = this.liveSince.get(id)
    if (since !== undefined) return performance.now() > since + WATCH_MS
    if (performance.now() > this.changedAt + STUCK_AFTER_MS) return true
    const hasEnded = terminal?.state === 'asleep' && terminal.because?.kind !== 'lost'
    return hasEnded && performance.now() > (this.heardAt.get(id) ?? 0) + LAST_WORDS_MS
  }

  private wokenOf(id: string): Woken {
    const terminal = this.seen.get(id) ?? null
    const awake = terminal?.state === 'live'
    return {
      id,
      name: terminal?.name ?? null,
      woken: awake,
      reason: awake ? null : this.reasonOf(terminal),
      back: awake ? terminal.back : null,
    }
  }

  private reasonOf(terminal: TerminalView | null): string {
    if (terminal === null) return this.isGone ? 'the daemon went away' : 'it was closed'
    if (terminal.because?.kind === 'failed') return terminal.because.reason
    if (terminal.because?.kind === 'exited') return 'its program ended at once'
    return this.isGone ? 'the daemon went away' : 'it stayed asleep'
  }
}
