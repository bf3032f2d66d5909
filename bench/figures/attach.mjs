/** From starting the client (or opening the terminal in the page) to the picture, with 10,000 lines of history behind it. */
import { corpusPath, programPath } from '../lab/programs.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'
import { startSides } from './sides.mjs'

const HISTORY_LINES = 10_000
const LAST_LINE = 'the-last-line'

export const limitS = 60

export async function measure(lab, { quick, say }) {
  const { count, seconds } = quick ? { count: 4, seconds: 3 } : { count: 12, seconds: 20 }
  const { holdfast, sides } = await startSides(lab, { historyLines: 2 * HISTORY_LINES })
  const clients = []
  for (const side of sides) {
    const terminal = await openWithHistory(side)
    clients.push({ name: side.name, figure: 'attach.cli', paint: () => paintOnce(side, terminal) })
  }
  const page = await holdfast.openPage()
  const shown = await openWithHistory(holdfast)
  clients.push({ name: 'holdfast', figure: 'attach.page', paint: async () => (await page.show(shown, LAST_LINE)).ms })

  say(`attach: ${count} times`)
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    for (const { name, figure, paint } of inTurn(clients, round)) {
      const ms = await paint()
      for (const each of name === 'tmux' ? ['attach.cli', 'attach.page'] : [figure]) rounds.add(name, each, ms)
    }
  }
  const row = (figure, label) => rounds.row({ figure, label, unit: 'ms', peerName: 'tmux attach' })
  return [row('attach.cli', 'attach → first paint, whole command'), row('attach.page', 'open → picture, WebSocket')]
}

/** The picture of the first client that shows the last line proves that all lines have been taken in. */
async function openWithHistory(side) {
  const terminal = await side.open('sh', [programPath('shows-history.sh'), `${HISTORY_LINES}`, corpusPath('log', 8), LAST_LINE])
  await paintOnce(side, terminal)
  const kept = await side.historyOf(terminal)
  if (kept < HISTORY_LINES) throw new Error(`${side.name} has kept ${kept} lines of ${HISTORY_LINES}`)
  return terminal
}

async function paintOnce(side, terminal) {
  const client = await side.attach(terminal, { seen: LAST_LINE })
  await client.close()
  return client.painted.ms
}
