import { redactArgv, redactEnvironment, redactText } from '../redact/redact.ts'
import type { Wrapper, WrapperLine } from '../wrapper/wrapper.ts'
import type { Restore, Terminal } from './terminal.ts'

/** For exports and for showing: a record that can no longer be woken as it was, but gives nothing away. */
export function redactTerminal<Any extends Terminal>(terminal: Any): Any {
  const { spec, restore } = terminal
  return {
    ...terminal,
    ...('previousRestore' in terminal && terminal.previousRestore !== null
      ? { previousRestore: redactRestore(terminal.previousRestore) }
      : {}),
    title: redactText(terminal.title),
    restore: redactRestore(restore),
    spec: { ...spec, args: redactArgv([spec.command, ...spec.args]).slice(1), env: redactEnvironment(spec.env) },
  }
}

function redactRestore(restore: Restore): Restore {
  if (restore.kind !== 'conversation' && restore.kind !== 'quit') return restore
  const wrapper = restore.wrapper === undefined ? {} : { wrapper: redactWrapper(restore.wrapper) }
  if (restore.kind === 'quit') return { ...restore, ...wrapper }
  const env = restore.env === undefined ? {} : { env: redactEnvironment(restore.env) }
  return { ...restore, argv: redactArgv(restore.argv), ...env, ...wrapper }
}

function redactWrapper(wrapper: Wrapper): Wrapper {
  if (wrapper.kind === 'line') return redactLine(wrapper)
  // What is only to be read was redacted when it was written.
  return wrapper.kind === 'none' || wrapper.inside === undefined ? wrapper : { ...wrapper, inside: redactLine(wrapper.inside) }
}

function redactLine(line: WrapperLine): WrapperLine {
  const { before, text } = line
  const redacted = text === undefined ? {} : { text: { words: redactArgv(text.words), after: redactArgv(text.after) } }
  return { ...line, before: redactArgv(before), ...redacted }
}
