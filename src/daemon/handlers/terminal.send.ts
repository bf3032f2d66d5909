/** What clients do to a running program: they type, look, and resize. */
import { refusals, refused } from '../../base/refusal.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { keyBytes } from '../../wire/keys.ts'
import { ENTER } from '../../wire/typed.ts'
import { isGuest, type Live } from '../../workspace/terminal/terminal.ts'
import { find, findLive } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import type { Handlers, Parts, Viewing } from './world.ts'

/** Agents take text and Enter in one write for a paste, so the program gets time to show the first write before the second. */
const SETTLED_AFTER_MS = 40
const SETTLE_AT_MOST_MS = 400

type World = Pick<Parts, 'activity' | 'agents' | 'attention' | 'holders' | 'registry' | 'runScreens' | 'screens' | 'sizes'> & Viewing

export const inputHandlers: Handlers<'terminal.send' | 'terminal.look' | 'terminal.resize', World> = {
  'terminal.send': async (daemon, params) => {
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
      daemon.attention.attended(found.value.id)
      daemon.activity.typed(found.value.id)
    }
    for (const [index, bytes] of writes.entries()) {
      if (index > 0) await settled(daemon, found.value)
      daemon.holders.send(found.value.run, { kind: 'input', bytes })
    }
    if (writes.some((bytes) => bytes.includes(ENTER))) daemon.agents.entered(found.value.id)
    return { ok: true, result: {} }
  },

  /** Registers the size of the client's view of a terminal. */
  'terminal.look': (daemon, { terminal: ref, size, lead }, client) => {
    const found = find(daemon, ref)
    if (!found.ok) return found
    const { id } = found.value
    const { number, who } = client
    if (size !== null) daemon.attention.looked(id)
    daemon.sizes.happened(id, size === null ? { kind: 'hides', client: number } : { kind: 'looks', client: number, who, size, lead })
    return { ok: true, result: { client: number, terminal: viewOf(daemon.registry.get(id) ?? found.value, daemon) } }
  },

  'terminal.resize': (daemon, { terminal: ref, size }) => {
    const found = findLive(daemon, ref)
    if (!found.ok) return found
    const { id, state } = found.value
    if (isGuest(found.value)) return refused(refusals.guestSize(found.value.name ?? id))
    if (!daemon.sizes.setByHand(id, size)) return refused(refusals.busy(id, state))
    return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) }
  },
}

async function settled(daemon: Pick<Parts, 'runScreens' | 'screens'>, terminal: Live): Promise<void> {
  const { run } = terminal
  const opened = daemon.runScreens.ensure(terminal, run)
  await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS))
  await opened.catch(() => undefined) // without a screen it is not known: send the next one
  if (!daemon.screens.has(run)) return
  const quiet = daemon.screens.waitIdle(run, SETTLED_AFTER_MS)
  const timer = setTimeout(() => quiet.cancel(), SETTLE_AT_MOST_MS)
  await quiet.found.catch(() => false) // a failed worker does not know either
  clearTimeout(timer)
}
