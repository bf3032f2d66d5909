import { assertNever } from '../base/assertNever.ts'
import type { AgentMetadata, CheckpointTerminal } from './checkpoint.ts'
import type { Because, Live, Restore, Spec, Terminal, Waking } from './terminal.ts'
import type { Wrapper, WrapperLine } from './wrapper/wrapper.ts'

/**
 * The part of an entry that makes a difference, with every key in a place of its own, however the entry was put
 * together. Process ids, titles, links and times change by themselves and are no part of it.
 */
export function lastingOf({ terminal, cwd, agent, env, screen }: CheckpointTerminal) {
  const { id, name, lastRun, theme, pinned, muted, onRestore, created, state } = terminal
  return {
    id,
    name,
    lastRun,
    theme,
    pinned,
    ...(muted ? { muted } : {}), // as it was hashed before there was a choice
    ...(onRestore === 'policy' ? {} : { onRestore }), // as it was hashed before there was a choice
    ...(terminal.imported === undefined ? {} : { imported: true }),
    created,
    restore: restoreOf(terminal.restore),
    spec: specOf(terminal.spec),
    state,
    only: onlyOf(terminal),
    cwd,
    metadata: metadataOf(agent),
    seenEnv: inOrder(env),
    screen: screen?.hash ?? null,
  }
}

function specOf({ command, args, cwd, env, size: { cols, rows } }: Spec): Spec {
  return { command, args, cwd, env: inOrder(env), size: { cols, rows } }
}

function wrapperOf(wrapper: Wrapper): Wrapper {
  if (wrapper.kind === 'none') return wrapper
  if (wrapper.kind === 'line') return lineOf(wrapper)
  const { kind, ran, why, inside } = wrapper
  return { kind, ran, why, ...(inside === undefined ? {} : { inside: lineOf(inside) }) }
}

function lineOf({ kind, before, text, cwd }: WrapperLine): WrapperLine {
  const { words = [], after = [] } = text ?? {}
  return { kind, before, ...(text === undefined ? {} : { text: { words, after } }), ...(cwd === undefined ? {} : { cwd }) }
}

function restoreOf(restore: Restore): Restore {
  switch (restore.kind) {
    case 'shell':
      return { kind: 'shell' }
    case 'unknown':
      return { kind: 'unknown', agent: restore.agent, ...(restore.why === undefined ? {} : { why: restore.why }) }
    case 'conversation': {
      const { kind, agent, id, provenance, argv, cwd, env, wrapper } = restore
      return {
        kind,
        agent,
        id,
        provenance,
        argv,
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env: inOrder(env) }),
        ...(wrapper === undefined ? {} : { wrapper: wrapperOf(wrapper) }),
      }
    }
    case 'quit':
      return {
        ...{ kind: 'quit', agent: restore.agent, id: restore.id },
        ...(restore.wrapper === undefined ? {} : { wrapper: wrapperOf(restore.wrapper) }),
      }
  }
  return assertNever(restore)
}

/** What belongs to the state alone. */
function onlyOf(terminal: Terminal) {
  switch (terminal.state) {
    case 'asleep':
      return { because: becauseOf(terminal.because) }
    case 'waking':
      return { run: terminal.run, previousRun: terminal.previousRun, ...resumeOf(terminal) }
    case 'live':
      return { run: terminal.run, agent: terminal.agent, ...resumeOf(terminal) }
    case 'settling':
      return { run: terminal.run, then: terminal.then }
  }
  return assertNever(terminal)
}

/** Nothing for a fresh start, whose hash is the one it had before there were others. */
function resumeOf({ mode, previousRun, previousRestore }: Waking | Live) {
  if (mode === 'fresh') return {}
  return { mode, previousRun, previousRestore: previousRestore === null ? null : restoreOf(previousRestore) }
}

function becauseOf(because: Because): object {
  switch (because.kind) {
    case 'slept':
    case 'lost':
      return { kind: because.kind }
    case 'exited':
      return { kind: 'exited', status: because.status }
    case 'failed':
      return { kind: 'failed', reason: because.reason, ...(because.resumed === null ? {} : { resumed: because.resumed }) }
  }
  return assertNever(because)
}

function metadataOf(metadata: AgentMetadata | null): AgentMetadata | null {
  if (metadata === null) return null
  const { agent, conversation, details } = metadata
  return { agent, conversation, details: inOrder(details) }
}

/** Names may look like numbers, which objects put first whatever they are told; their order is fixed all the same. */
function inOrder(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(record)
  if (names.length < 2) return record
  const ordered: Record<string, string> = {}
  for (const name of names.sort()) ordered[name] = record[name] ?? ''
  return ordered
}
