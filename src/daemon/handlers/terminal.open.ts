/** Opens a terminal for a client: on a channel of the daemon for a page, on the holder's own socket for an attached CLI. */
import type { RunId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { MOST_CHANNELS } from '../clients/limits.ts'
import { OpeningRelay, openRelay } from '../clients/relay.ts'
import { find, findLive, isNotKept } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import type { Handlers, Parts, Viewing } from './world.ts'

const PAINTED_HISTORY_LINES = 1_000 // what a page can scroll back to at once

type World = Pick<Parts, 'earlier' | 'health' | 'holders' | 'registry' | 'runScreens'> & Viewing

export const openHandlers: Handlers<'terminal.open' | 'terminal.attach', World> = {
  'terminal.open': async (daemon, params, client) => {
    const overloaded = daemon.health.load.isFull ? await daemon.health.load.refusesChannel() : null
    if (overloaded !== null) return refused(overloaded)
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    const terminal = found.value
    const shown = await showableRun(daemon, terminal)
    if (!shown.ok) return shown
    const run = shown.value
    const view = viewOf(terminal, daemon)
    if (run === null)
      return {
        ok: true,
        result: { terminal: view, channel: null, run: null, seq: 0, size: terminal.spec.size, lines: null, continued: false },
      }
    const card = terminal.state === 'live' || terminal.state === 'settling' ? daemon.holders.card(run) : null
    const status = daemon.holders.status(run)
    const from =
      params.from !== undefined && card !== null && params.from.run === run && params.from.seq >= (status?.oldest ?? 0)
        ? params.from.seq
        : null
    const paint = from === null ? await daemon.earlier.paint({ terminal, run }, { history: params.history ?? PAINTED_HISTORY_LINES }) : null
    const start = {
      terminal: view,
      run,
      seq: from ?? paint?.seq ?? 0,
      size: paint?.size ?? terminal.spec.size,
      lines: paint?.lines ?? null,
      continued: from !== null,
    }
    const blob = paint === null ? {} : { blob: paint.bytes }
    if (card === null) return { ok: true, result: { ...start, channel: null }, ...blob }

    const channel = client.takeChannel(terminal.id)
    if (channel === null) return refused(refusals.tooManyChannels(MOST_CHANNELS))
    const opening = new OpeningRelay()
    client.setRelay(channel, opening)
    const connect = async (): Promise<void> => {
      const relay = await openRelay({
        peer: client.peer,
        channel,
        socketPath: card.socketPath,
        from: start.seq,
        size: paint?.size ?? null,
        window: params.window,
        closed: () => client.dropRelay(channel),
      })
      if ('why' in relay) {
        client.dropRelay(channel)
        client.breakChannel(channel, relay.why)
      } else if (opening.isClosed) {
        relay.close()
      } else {
        opening.handOver(relay)
        client.setRelay(channel, relay)
      }
    }
    // The reply goes out first: the client must know the channel before anything arrives on it.
    return { ok: true, result: { ...start, channel }, ...blob, after: () => void connect() }
  },

  'terminal.attach': async (daemon, params) => {
    const found = findLive(daemon, params.terminal)
    if (!found.ok) return found
    const terminal = found.value
    await daemon.holders.ensure(terminal.run)
    const card = daemon.holders.card(terminal.run)
    if (card === null) return refused(refusals.busy(terminal.id, terminal.state))
    const run = await daemon.runScreens.showable(terminal)
    if (run === null) return refused(refusals.busy(terminal.id, terminal.state))
    // A real terminal has its own scrollback: only the visible screen is painted into it.
    const paint = await daemon.earlier.paint({ terminal, run }, { history: params.history ?? 0, since: params.since })
    const result = {
      terminal: viewOf(terminal, daemon),
      socketPath: card.socketPath,
      run,
      seq: paint.seq,
      size: paint.size,
      lines: paint.lines,
    }
    return { ok: true, result, blob: paint.bytes }
  },
}

/** Refused if the screen cannot be read: an empty screen would be wrong. */
async function showableRun(daemon: Pick<Parts, 'registry' | 'runScreens'>, terminal: Terminal): Promise<Result<RunId | null>> {
  try {
    return done(isNotKept(terminal) ? null : await daemon.runScreens.showable(terminal))
  } catch (error) {
    const live = findLive(daemon, terminal.id)
    return terminal.state === 'live' && !live.ok ? live : refused(refusals.historyUnreadable((error as Error).message))
  }
}
