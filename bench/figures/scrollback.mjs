/**
 * What 10,000 printed lines cost in memory that nobody else uses: the daemon per live terminal, its holder, and tmux's
 * server per pane.
 */

import { delay } from '../lab/clock.mjs'
import { privateBytes } from '../lab/processes.mjs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { Rounds } from './rounds.mjs'
import { startSides } from './sides.mjs'

const MB = 1e6
const LINES = 10_000
const CORPORA = ['log', 'colour']
const LAST_LINE = 'the-last-line'
const SETTLE_MS = 6_000 // the snapshots after the flood are kept, and what they left behind is collected

export const limitS = 150

export async function measure(lab, { quick, say }) {
  if (privateBytes(process.pid) === null) throw new Error('this system does not tell what memory is private (no /proc/PID/smaps_rollup)')
  const terminals = quick ? 6 : 16
  const { holdfast, tmux, sides } = await startSides(lab, { historyLines: 2 * LINES })
  const pidOf = (side) => (side === tmux ? tmux.serverPid() : holdfast.daemonPid())
  const rounds = new Rounds()
  for (const kind of CORPORA) {
    for (const side of sides) {
      say(`scrollback: ${terminals} × ${LINES} lines of ${kind} in ${side.name}`)
      await printAll(side, { kind, terminals: 1 }) // the first one makes the program itself grow
      await delay(SETTLE_MS)
      const before = privateBytes(await pidOf(side))
      const opened = await printAll(side, { kind, terminals })
      await delay(SETTLE_MS)
      rounds.add(side.name, `scrollback.${kind}`, (privateBytes(await pidOf(side)) - before) / terminals / MB)
      if (side === holdfast) await addHolders(holdfast, rounds, { kind, opened })
    }
  }
  const row = (figure, label) => rounds.row({ figure, label, unit: 'MB', peerName: 'tmux, 10,000 lines' })
  return CORPORA.flatMap((kind) => [
    row(`scrollback.${kind}`, `daemon per live terminal, ${LINES} lines of ${kind}`),
    row(`scrollback.holder.${kind}`, `its holder, ${LINES} lines of ${kind}`),
  ])
}

/** One after the other, so that what one flood needs for a moment is not counted for all. */
async function printAll(side, { kind, terminals }) {
  const opened = []
  for (let index = 0; index < terminals; index += 1) {
    const terminal = await side.open('sh', [programPath('shows-history.sh'), `${LINES}`, corpusPath(kind, 8), LAST_LINE])
    const client = await side.attach(terminal, { seen: LAST_LINE })
    await client.close()
    opened.push(terminal)
  }
  return opened
}

async function addHolders(holdfast, rounds, { kind, opened }) {
  const all = await holdfast.ask('terminal.list', {})
  for (const { id, holderPid } of all) {
    if (opened.includes(id)) rounds.add('holdfast', `scrollback.holder.${kind}`, privateBytes(holderPid) / MB)
  }
}
