/** Tells somebody who waits in front of a terminal how far wakes are, on the error stream: what is printed is for others. */
import type { DaemonClient } from '../client/daemonClient.ts'
import type { TerminalView, WakePhase } from '../wire/view.ts'
import type { Host } from './host.ts'

/** A daemon that is slow to answer delays no wake for long. */
const TOLD_WITHIN_MS = 500

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
  if (!link.ok) return () => undefined
  const { begun, stop } = tellPhases(link.value, refs, (words) => host.complain(words))
  await Promise.race([begun, new Promise((resolve) => setTimeout(resolve, TOLD_WITHIN_MS).unref())])
  return stop
}

type Telling = { readonly begun: Promise<void>; stop(): void }

/** Each phase of each is said once; what happens after `begun` is heard. */
export function tellPhases(client: Pick<DaemonClient, 'watch'>, refs: readonly string[], say: (words: string) => void): Telling {
  const said = new Map<string, WakePhase | null>()
  const isMeant = ({ id, name }: Shown): boolean => refs.some((ref) => name === ref || id.startsWith(ref))
  const take = (terminal: Shown): void => {
    if (!isMeant(terminal) || said.get(terminal.id) === terminal.wakePhase) return
    said.set(terminal.id, terminal.wakePhase)
    if (terminal.wakePhase !== null) say(`${terminal.name ?? terminal.id}: ${PHASES[terminal.wakePhase]}`)
  }
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const stop = client.watch({ onAll: () => begin(), onEvent: (event) => event.kind === 'terminal' && take(event.terminal) })
  return { begun, stop }
}
