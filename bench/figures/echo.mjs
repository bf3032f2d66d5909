/** From a key to its echo on an idle machine: `holdfast attach` and the page's WebSocket next to `tmux attach`. */
import { programPath } from '../lab/programs.mjs'
import { percentile } from '../statistics.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'
import { startSides } from './sides.mjs'

const GAP_MS = 4 // on average; faster than anyone types, slow enough that everything sleeps in between
const WARM_UP_KEYS = 60
const READY = 'ready-to-echo'

export const limitS = 60

/** The kernel takes 4,095 bytes of a line: all keys of a terminal must fit, because a full line echoes nothing. */
export async function measure(lab, { quick, say }) {
  const { keys, count, seconds } = quick ? { keys: 100, count: 3, seconds: 6 } : { keys: 250, count: 7, seconds: 30 }
  const { holdfast, sides } = await startSides(lab)
  const clients = []
  for (const side of sides) {
    const terminal = await side.open('sh', [programPath('echoes.sh')])
    clients.push({ name: side.name, figure: 'cli', probe: await side.attach(terminal, { seen: READY }) })
  }
  const page = await holdfast.openPage()
  await page.show(await holdfast.open('sh', [programPath('echoes.sh')]), READY)
  clients.push({ name: 'holdfast', figure: 'page', probe: page })
  for (const { probe } of clients) await probe.keys(WARM_UP_KEYS, GAP_MS)

  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    say(`echo ${round + 1}/${count}`)
    for (const { name, figure, probe } of inTurn(clients, round)) {
      const samples = await probe.keys(keys, GAP_MS)
      const figures = name === 'tmux' ? ['cli', 'page'] : [figure]
      for (const each of figures) addPercentiles(rounds, { name, prefix: `echo.${each}`, samples })
    }
  }
  const row = (figure, label) => rounds.row({ figure, label, unit: 'ms', peerName: 'tmux attach' })
  return [
    row('echo.cli.p50', 'key→echo p50, holdfast attach'),
    row('echo.cli.p99', 'key→echo p99, holdfast attach'),
    row('echo.page.p50', 'key→echo p50, WebSocket'),
    row('echo.page.p99', 'key→echo p99, WebSocket'),
  ]
}

export function addPercentiles(rounds, { name, prefix, samples }) {
  rounds.add(name, `${prefix}.p50`, percentile(samples, 0.5))
  rounds.add(name, `${prefix}.p99`, percentile(samples, 0.99))
}
