/** From what the user typed to the terminal that is meant. */
import { type Result, refusals, refused } from '../../base/refusal.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import type { Because, ExitStatus, Live, Terminal } from '../../workspace/terminal/terminal.ts'
import type { Registry } from './registry.ts'

/** Where terminals are found. */
export type Terminals = { readonly registry: Pick<Registry, 'all'> }

export const find = (daemon: Terminals, ref: string): Result<Terminal> => findTerminal(ref, daemon.registry.all())

/** A terminal whose program runs and whose holder answers. */
export function findLive(daemon: Terminals, ref: string): Result<Live> {
  const found = find(daemon, ref)
  if (!found.ok) return found
  const terminal = found.value
  if (terminal.state === 'asleep') {
    const notKept = terminal.private ? '; it is private, so its output was not kept' : ''
    return refused(refusals.notLive(terminal.id, reasonText(terminal.because) + notKept))
  }
  if (terminal.state !== 'live') return refused(refusals.busy(terminal.id, terminal.state))
  if (terminal.link.kind === 'unreachable') return refused(refusals.holderUnreachable(terminal.id, terminal.link.why))
  if (terminal.link.kind === 'incompatible') return refused(refusals.holderIncompatible(terminal.id, terminal.link.speaks))
  return { ok: true, value: terminal }
}

/** A private terminal without a run has nothing to show: what it showed was nowhere but in its holder. */
export const isNotKept = (terminal: Terminal): boolean => terminal.private && terminal.state === 'asleep'

export function reasonText(because: Because): string {
  switch (because.kind) {
    case 'slept':
      return 'it was put to sleep'
    case 'exited':
      return `it ended with ${statusText(because.status)}`
    case 'lost':
      return 'its holder ended, or the machine went down'
    case 'failed':
      return `it could not be ${because.resumed === null ? 'started' : 'resumed'} (${because.reason})`
  }
}

const statusText = (status: ExitStatus): string => ('code' in status ? `exit ${status.code}` : status.signal)
