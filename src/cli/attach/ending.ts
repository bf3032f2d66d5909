/** How an attachment ends, and how to find out whether a run whose holder does not answer has ended. */
import type { DaemonClient } from '../../client/daemonClient.ts'
import { becauseOf, type TerminalView } from '../../wire/view.ts'
import type { ExitCode } from '../core/exit.ts'
import { becauseText } from '../text/format.ts'

export type Ending = { readonly text: string; readonly code: ExitCode }

/** The state of a run whose holder cannot be reached. */
export type Fate = { readonly kind: 'running' } | { readonly kind: 'unknown' } | { readonly kind: 'over'; readonly text: string }

/** Absence is not an ending: only the daemon's record says that the run is over. */
export async function fateOf(client: DaemonClient, terminal: string, run: string): Promise<Fate> {
  if (client.state.kind !== 'connected') return { kind: 'unknown' }
  const listed = await client.request('terminal.list', {})
  if (!listed.ok) return { kind: 'unknown' }
  return fateIn(
    listed.value.result.find(({ id }) => id === terminal),
    run,
  )
}

export function fateIn(now: TerminalView | undefined, run: string): Fate {
  if (now === undefined) return { kind: 'over', text: 'the terminal was closed' }
  const because = becauseOf(now)
  if (because?.kind === 'lost') return { kind: 'over', text: 'its holder ended, or the machine went down' }
  if (because !== null) return { kind: 'over', text: becauseText(because) }
  return now.run === run ? { kind: 'running' } : { kind: 'over', text: 'another program runs in it now' }
}
