/** What is said while all programs are put to sleep: one line for each that is, and a summary of them all. */
import type { DaemonClient } from '../client/daemonClient.ts'
import type { TerminalView } from '../wire/view.ts'

const SHOWN_OF_ID = 8 // characters: enough to tell conversations apart

export type FellAsleep = {
  readonly id: string
  readonly name: string | null
  readonly conversation: string | null
  readonly ms: number
  /** It goes on in the user's own tmux. */
  readonly isLetGo?: boolean
}

export function asleepLine({ id, name, conversation, ms, isLetGo }: FellAsleep): string {
  if (isLetGo === true) return `${name ?? id}  let go, goes on in your tmux`
  const kept = conversation === null ? '' : `, conversation ${conversation.slice(0, SHOWN_OF_ID)}… kept`
  return `${name ?? id}  asleep${kept}  ${(ms / 1_000).toFixed(1)} s`
}

type Watching = Pick<DaemonClient, 'watch'>

/** Tells of each terminal that was running when it falls asleep, once. */
export function followAsleep(
  client: Watching,
  tell: (fallen: FellAsleep) => void,
  now: () => number = () => performance.now(),
): () => void {
  const running = new Set<string>()
  const begun = now()
  const look = ({ id, name, state, conversation, backend }: TerminalView): void => {
    if (state !== 'asleep') running.add(id)
    else if (running.delete(id))
      tell({ id, name, conversation, ms: Math.round(now() - begun), ...(backend === 'guest' ? { isLetGo: true } : {}) })
  }
  return client.watch({
    onAll: ({ terminals }) => terminals.forEach(look),
    onEvent: (event) => event.kind === 'terminal' && look(event.terminal),
  })
}

const programs = (count: number): string => (count === 1 ? '1 program' : `${count} programs`)

export type Stopped = {
  readonly wasRunning: boolean
  /** Programs that were put to sleep. */
  readonly ended: number
  /** Programs that run on; left out where the daemon did not say. */
  readonly running?: number
  /** Names of terminals whose programs could not be ended in time. */
  readonly unsettled?: readonly string[]
}

export function stoppedText({ wasRunning, ended, running, unsettled = [] }: Stopped, { all }: { readonly all: boolean }): string {
  if (!wasRunning) return 'The daemon is not running.'
  if (!all) return `Stopped. ${runningText(running)}`
  const late = unsettled.length === 0 ? '' : `\nCould not be settled in time, and may still run: ${unsettled.join(', ')}.`
  return `Stopped, with ${programs(ended)} put to sleep.${late}`
}

function runningText(running: number | undefined): string {
  if (running === 0) return 'No program was running.'
  if (running === undefined) return 'Programs keep running; the next start finds them again.'
  return running === 1
    ? '1 program keeps running; the next start finds it again.'
    : `${running} programs keep running; the next start finds them again.`
}
