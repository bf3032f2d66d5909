/** What a terminal shows and has shown: its screen with any part of its history, and pages of lines. */
import { refusals, refused } from '../../base/refusal.ts'
import type { Params } from '../../wire/commands/commands.ts'
import type { Reply } from '../clients/handler.ts'
import { find, isNotKept } from '../terminals/find.ts'
import type { Handlers, Parts } from './world.ts'

const NO_LINES = { first: 0, from: 0, end: 0, lines: [] }

type World = Pick<Parts, 'earlier' | 'registry' | 'runScreens' | 'screens'>

export const readHandlers: Handlers<'terminal.read' | 'terminal.history' | 'terminal.position', World> = {
  'terminal.read': (daemon, params) => readTerminal(daemon, params),

  'terminal.history': async (daemon, { terminal: ref, before = null, count, format }) => {
    const found = find(daemon, ref)
    if (!found.ok) return found
    if (isNotKept(found.value)) return refused(refusals.notKept(found.value.id))
    try {
      const run = await daemon.runScreens.showable(found.value)
      if (run === null) return { ok: true, result: NO_LINES }
      const page = await daemon.earlier.page({ terminal: found.value, run }, { before, count, format })
      return { ok: true, result: { ...page, lines: [...page.lines] } }
    } catch (error) {
      return refused(refusals.historyUnreadable((error as Error).message))
    }
  },

  'terminal.position': async (daemon, params) => {
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    try {
      const run = await daemon.runScreens.showable(found.value)
      if (run === null) return { ok: true, result: { run: null, seq: 0 } }
      const { seq } = await daemon.screens.paint(run, { history: 0 })
      return { ok: true, result: { run, seq } }
    } catch (error) {
      return refused(refusals.historyUnreadable((error as Error).message))
    }
  },
}

export async function readTerminal(
  daemon: Pick<World, 'earlier' | 'registry' | 'runScreens'>,
  { terminal: ref, history, format }: Params<'terminal.read'>,
): Promise<Reply<'terminal.read'>> {
  const found = find(daemon, ref)
  if (!found.ok) return found
  if (isNotKept(found.value)) return refused(refusals.notKept(found.value.id))
  const terminal = found.value
  try {
    const still = history === 0 ? await daemon.runScreens.stillPicture(terminal, format) : null
    if (still !== null) return { ok: true, result: still }
    const run = await daemon.runScreens.showable(terminal)
    if (run === null) return { ok: true, result: { content: '', lines: { first: 0, from: 0 }, faults: [] } }
    const read = await daemon.earlier.read({ terminal, run }, { history, format })
    return { ok: true, result: { ...read, faults: [...new Set([...daemon.runScreens.damageOf(run), ...read.faults])] } }
  } catch (error) {
    return refused(refusals.historyUnreadable((error as Error).message))
  }
}
