/**
 * What may be written of a terminal. Of a private one that is its identity and how it ended, never what it was given, where it went or
 * what it showed. Everything that goes to disk goes through here, so that nothing can be forgotten in one place.
 */
import { assertNever } from '../../base/assertNever.ts'
import type { Closed } from '../terminal/closed.ts'
import type { Because, Slept, Spec, Terminal } from '../terminal/terminal.ts'
import { agentOf, type CheckpointTerminal } from './checkpoint.ts'

export function storable<Kind extends Terminal>(terminal: Kind): Kind
export function storable(terminal: Terminal): Terminal {
  if (!terminal.private) return terminal
  // A resume is built from arguments and variables, which are not stored: what is left of it would start something else.
  const kept = { spec: storableSpec(terminal.spec), title: '', restore: { kind: 'shell' } } as const
  switch (terminal.state) {
    case 'asleep':
      return { ...terminal, ...kept, because: storableReason(terminal.because) }
    case 'waking':
      return { ...terminal, ...kept, previousRestore: null }
    case 'live':
      return { ...terminal, ...kept, previousRestore: null, foreground: null }
    case 'settling':
      return { ...terminal, ...kept, ...(terminal.slept === undefined ? {} : { slept: storableSleep(terminal.slept) }) }
  }
  return assertNever(terminal)
}

/** As it stands in a checkpoint; `env` and `cwd` are what was seen of the program. */
export function storableEntry<Entry extends Omit<CheckpointTerminal, 'screen'>>(entry: Entry): Entry {
  if (!entry.terminal.private) return entry
  const terminal = storable(entry.terminal)
  return { ...entry, terminal, cwd: null, env: {}, agent: agentOf(terminal) }
}

export const storableClosed = (closed: Closed): Closed =>
  closed.terminal.private ? { ...closed, terminal: storable(closed.terminal), seen: { cwd: null, env: {} } } : closed

/** The number is stored, so that the rest is not taken for the whole. */
function storableSpec(spec: Spec): Spec {
  const args = spec.args.length + (spec.withheld?.args ?? 0)
  const env = Object.keys(spec.env).length + (spec.withheld?.env ?? 0)
  return { ...spec, args: [], env: {}, ...(args + env === 0 ? {} : { withheld: { args, env } }) }
}

function storableReason(because: Because): Because {
  return because.kind === 'slept' ? { kind: 'slept', ...storableSleep(because) } : because
}

const storableSleep = ({ by }: Slept): Slept => (by === undefined ? {} : { by })
