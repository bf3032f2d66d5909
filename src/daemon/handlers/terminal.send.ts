import { utf8Encode } from '../../base/utf8.ts'
import { keyBytes } from '../../wire/keys.ts'
import { ENTER } from '../../wire/typed.ts'
import type { Live } from '../../workspace/terminal.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { findLive } from '../find.ts'

/** Agents take text and Enter in one write for a paste. Between two writes the program gets a moment to show the first. */
const SETTLED_AFTER_MS = 40
const SETTLE_AT_MOST_MS = 400

export const sendToTerminal: Handler<'terminal.send'> = async (daemon, params) => {
  const found = findLive(daemon, params.terminal)
  if (!found.ok) return found
  await daemon.holders.ensure(found.value.run)
  const writes: Uint8Array[] = []
  if (params.text !== undefined && params.text !== '') writes.push(utf8Encode(params.text))
  for (const key of [...(params.keys ?? []), ...(params.enter === true ? ['Enter'] : [])]) {
    const bytes = keyBytes(key)
    if (!bytes.ok) return bytes
    writes.push(bytes.value)
  }
  if (writes.length > 0) {
    daemon.attended(found.value.id)
    daemon.activity.typed(found.value.id)
  }
  for (const [index, bytes] of writes.entries()) {
    if (index > 0) await settled(daemon, found.value)
    daemon.holders.send(found.value.run, { kind: 'input', bytes })
  }
  if (writes.some((bytes) => bytes.includes(ENTER))) daemon.agents.entered(found.value.id)
  return { ok: true, result: {} }
}

async function settled(daemon: Daemon, terminal: Live): Promise<void> {
  const { run } = terminal
  const opened = daemon.ensureScreen(terminal, run)
  await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS))
  await opened.catch(() => undefined) // without a screen nobody can say: go on
  if (!daemon.screens.has(run)) return
  const quiet = daemon.screens.waitIdle(run, SETTLED_AFTER_MS)
  const timer = setTimeout(() => quiet.cancel(), SETTLE_AT_MOST_MS)
  await quiet.found.catch(() => false) // a worker that failed cannot say: go on
  clearTimeout(timer)
}
