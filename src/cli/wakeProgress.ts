/** Tells somebody who waits in front of a terminal how far wakes are, on the error stream: what is printed is for others. */
import type { DaemonClient } from '../client/daemonClient.ts'
import type { TerminalView, WakePhase } from '../wire/view.ts'
import type { Host } from './host.ts'

type Shown = Pick<TerminalView, 'id' | 'name' | 'wakePhase'>

const PHASES: Readonly<Record<WakePhase, string>> = {
  checking: 'checking what it goes on with…',
  starting: 'starting its program…',
  resuming: 'resuming; it has painted nothing yet…',
}

/** Returns how to stop. Where nobody looks, or no daemon is there, nothing is said: the wake itself tells what is wrong. */
export async function showPhases(host: Host, refs: readonly string[]): Promise<() => void> {
  if (host.stderr.isTTY !== true) return () => undefined
  const link = await host.daemon()
  return link.ok ? tellPhases(link.value, refs, (words) => host.complain(words)) : () => undefined
}

/** Each phase of each is said once. */
export function tellPhases(client: Pick<DaemonClient, 'watch'>, refs: readonly string[], say: (words: string) => void): () => void {
  const said = new Map<string, WakePhase | null>()
  const isMeant = ({ id, name }: Shown): boolean => refs.some((ref) => name === ref || id.startsWith(ref))
  const take = (terminal: Shown): void => {
    if (!isMeant(terminal) || said.get(terminal.id) === terminal.wakePhase) return
    said.set(terminal.id, terminal.wakePhase)
    if (terminal.wakePhase !== null) say(`${terminal.name ?? terminal.id}: ${PHASES[terminal.wakePhase]}`)
  }
  return client.watch({ onAll: () => undefined, onEvent: (event) => event.kind === 'terminal' && take(event.terminal) })
}
