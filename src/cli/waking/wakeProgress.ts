/** Shows the progress of wakes on stderr, if it is a terminal; stdout is for the result. */

import type { DaemonClient } from '../../client/daemonClient.ts'
import type { TerminalView, WakePhase } from '../../wire/view.ts'
import type { Cli } from '../core/verb.ts'

/** A slow daemon does not delay the wake for longer than this. */
const TOLD_WITHIN_MS = 500

type Shown = Pick<TerminalView, 'id' | 'name' | 'wakePhase'>

const PHASES: Readonly<Record<WakePhase, string>> = {
  checking: 'checking what can be resumed…',
  starting: 'starting its program…',
  resuming: 'resuming; no output yet…',
}

/** Returns a function that stops it. Without a terminal or a daemon it prints nothing: the wake reports failures. */
export async function showPhases(cli: Cli, refs: readonly string[]): Promise<() => void> {
  if (cli.stderr.isTTY !== true) return () => undefined
  const link = await cli.daemon()
  if (!link.ok) return () => undefined
  const { begun, stop } = tellPhases(link.value, refs, (words) => cli.complain(words))
  await Promise.race([begun, new Promise((resolve) => setTimeout(resolve, TOLD_WITHIN_MS).unref())])
  return stop
}

type Telling = { readonly begun: Promise<void>; stop(): void }

/** Says each phase of each terminal once; no change after `begun` is missed. */
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
