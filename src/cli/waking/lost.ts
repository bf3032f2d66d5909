/**
 * Waking: terminals that were interrupted by a crash or a restart (here), and the progress of a wake (wakeProgress). Used by the
 * verbs `wake` and `ls`. Start reading here. Below: `core/` and `text/`.
 */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Params } from '../../wire/commands/commands.ts'
import type { RecoveryView } from '../../wire/recoveryView.ts'
import { becauseOf, type TerminalView } from '../../wire/view.ts'
import { given, outcomeOf, print } from '../core/answers.ts'
import type { ExitCode } from '../core/exit.ts'
import type { Cli } from '../core/verb.ts'

/** Most programs that cannot resume exit within this time; `ls` and the page show the others. */
const WATCH_MS = 2_000
/** The reason of an exit arrives a moment after the exit. */
const LAST_WORDS_MS = 500
/** Without any change for this long, the wakes are stuck. */
const STUCK_AFTER_MS = 30_000
const LOOK_EVERY_MS = 50

const HAPPENED: Readonly<Record<RecoveryView['happened'], string>> = {
  reboot: 'when the machine restarted',
  shutdown: 'when the machine was shut down',
  crash: 'when Holdfast crashed',
}

/** Printed below the list of terminals. */
export function lostLine({ happened, terminals: { length } }: RecoveryView): string {
  const [were, them] = length === 1 ? ['1 terminal was', 'it'] : [`${length} terminals were`, 'them']
  return `${were} interrupted ${HAPPENED[happened]}. Resume ${them}: holdfast wake --lost. Leave ${them} asleep: holdfast wake --lost --later.`
}

/** Null if nothing was lost, and for a daemon of an older version. */
export async function lostOf(cli: Pick<Cli, 'ask'>): Promise<RecoveryView | null> {
  const shown = await cli.ask('recovery.show', {})
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

const NOTHING_LOST = 'No interrupted terminal is left to wake.'

export async function leaveLost(cli: Cli): Promise<Result<ExitCode>> {
  const lost = await lostOf(cli)
  if (lost !== null) {
    const answer = await cli.ask('recovery.answer', { wake: [] })
    if (!answer.ok && answer.refusal.code !== 'recovery-answered') return answer
  }
  return await print(cli, { left: lost?.terminals ?? [] }, ({ left: { length } }) =>
    length === 0
      ? NOTHING_LOST
      : `${length === 1 ? '1 terminal stays' : `${length} terminals stay`} asleep. Wake one with holdfast wake ID.`,
  )
}

export async function wakeLost(cli: Cli, mode: Params<'recovery.answer'>['mode']): Promise<Result<ExitCode>> {
  const link = await cli.daemon()
  if (!link.ok) return link
  const lost = await lostOf(cli)
  if (lost === null) return await print(cli, [], () => NOTHING_LOST)
  const follower = new Follower(link.value, (each, { index, of }) => {
    if (!cli.isJson) cli.complain(`${index} of ${of}  ${wokenText(each)}`)
  })
  const answer = await cli.ask('recovery.answer', { wake: lost.terminals, ...given({ mode }) })
  if (!answer.ok) return answer
  const woken = await follower.follow(answer.value.result.wakes)
  await print(cli, woken, summaryText)
  const outcomes = woken.map(({ id, name, reason }) => (reason === null ? done(null) : refused(refusals.resumeFailed(name ?? id, reason))))
  return outcomeOf(outcomes, cli)
}

const wokenText = ({ id, name, woken, reason, back }: Woken): string =>
  `${name ?? id}  ${woken ? (back?.text ?? 'running again') : `failed to wake: ${reason}`}`

function summaryText(woken: readonly Woken[]): string {
  const awake = woken.filter((each) => each.woken).length
  return awake === woken.length ? `${awake} running again.` : `${awake} of ${woken.length} running again.`
}

type Tell = (woken: Woken, count: { readonly index: number; readonly of: number }) => void

/** A terminal as last heard of; null when it was closed. */
type Seen = { readonly terminal: TerminalView | null; readonly heardAt: number; readonly liveSince: number | null }

/** Follows terminals that are being woken, until each has run for a while or failed. */
class Follower {
  private readonly seen = new Map<string, Seen>()
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
        for (const terminal of terminals) this.take(terminal.id, terminal)
      },
      onEvent: (event) => {
        if (event.kind === 'terminal') this.take(event.terminal.id, event.terminal)
        if (event.kind === 'closed') this.take(event.terminal, null)
      },
    })
  }

  async follow(ids: readonly string[]): Promise<readonly Woken[]> {
    const told = new Map<string, Woken>()
    while (told.size < ids.length) {
      for (const id of ids.filter((each) => !told.has(each) && this.isOver(each))) {
        const woken = this.wokenOf(id)
        told.set(id, woken)
        this.tell(woken, { index: told.size, of: ids.length })
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return ids.flatMap((id) => told.get(id) ?? [])
  }

  private take(id: string, terminal: TerminalView | null): void {
    const now = performance.now()
    const liveSince = terminal?.state === 'live' ? (this.seen.get(id)?.liveSince ?? now) : null
    this.changedAt = now
    this.seen.set(id, { terminal, heardAt: now, liveSince })
  }

  private isOver(id: string): boolean {
    const now = performance.now()
    const seen = this.seen.get(id)
    if (this.isGone || seen?.terminal === null) return true
    if (seen !== undefined && seen.liveSince !== null) return now > seen.liveSince + WATCH_MS
    if (now > this.changedAt + STUCK_AFTER_MS) return true
    const hasEnded = seen?.terminal.state === 'asleep' && seen.terminal.because?.kind !== 'lost'
    return hasEnded && now > seen.heardAt + LAST_WORDS_MS
  }

  private wokenOf(id: string): Woken {
    const terminal = this.seen.get(id)?.terminal ?? null
    const name = terminal?.name ?? null
    if (terminal?.state === 'live') return { id, name, woken: true, reason: null, back: terminal.back }
    return { id, name, woken: false, reason: this.reasonOf(terminal), back: null }
  }

  private reasonOf(terminal: TerminalView | null): string {
    if (terminal === null) return this.isGone ? 'the daemon went away' : 'it was closed'
    const because = becauseOf(terminal)
    if (because?.kind === 'failed') return because.reason
    if (because?.kind === 'exited') return 'its program ended at once'
    return this.isGone ? 'the daemon went away' : 'it stayed asleep'
  }
}
