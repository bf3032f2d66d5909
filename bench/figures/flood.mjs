/** From a key to its echo in one terminal while others flood, each flood with a client that reads everything. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delay } from '../lab/clock.mjs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { addPercentiles } from './echo.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'
import { startSides } from './sides.mjs'

const FLOODS = [1, 4]
const GAP_MS = 4
const PASS_MB = 1 // a flood looks after each pass whether it is to go on
const UNDER_WAY_MS = 700 // until buffers are full and the flood is at its pace
const QUIET_MS = 600 // until the last pass is through

export const limitS = 120

export async function measure(lab, { quick, say }) {
  const { keys, count, seconds } = quick ? { keys: 80, count: 1, seconds: 1 } : { keys: 250, count: 4, seconds: 60 }
  const { sides } = await startSides(lab)
  const stages = []
  for (const side of sides) stages.push(await setUp(lab, side))
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    for (const floods of FLOODS) {
      for (const stage of inTurn(stages, round)) {
        say(`flood ${round + 1}/${count}: ${floods} × ${stage.name}`)
        await measureOne(stage, { rounds, floods, keys })
      }
    }
  }
  const row = (figure, label, unit) => rounds.row({ figure, label, unit, peerName: 'tmux, same floods' })
  return FLOODS.flatMap((floods) => [
    row(`flood.${floods}.p50`, `key→echo p50, ${floods} flooding`, 'ms'),
    row(`flood.${floods}.p99`, `key→echo p99, ${floods} flooding`, 'ms'),
    row(`flood.${floods}.rate`, `what ${floods} flooding print${floods === 1 ? 's' : ''} meanwhile`, 'MB/s'),
  ])
}

/** The terminal that is typed into, and the floods, all attached and quiet. */
async function setUp(lab, side) {
  const corpus = corpusPath('agent', PASS_MB)
  const floods = []
  for (let index = 0; index < Math.max(...FLOODS); index += 1) {
    const [flag, passes] = [lab.path(`${side.name}-flag-${index}`), lab.path(`${side.name}-passes-${index}`)]
    writeFileSync(passes, '')
    const terminal = await side.open('sh', [programPath('floods.sh'), flag, corpus, passes])
    const client = await side.attach(terminal, { seen: 'ready-to-flood' })
    await client.drain()
    floods.push({ flag, passes })
  }
  const typed = await side.open('sh', [programPath('echoes.sh')])
  return { name: side.name, floods, probe: await side.attach(typed, { seen: 'ready-to-echo' }) }
}

async function measureOne({ name, floods, probe }, { rounds, floods: count, keys }) {
  const active = floods.slice(0, count)
  for (const { flag } of active) writeFileSync(flag, '')
  await delay(UNDER_WAY_MS)
  const [passesBefore, began] = [passesOf(active), performance.now()]
  const samples = await probe.keys(keys, GAP_MS)
  const seconds = (performance.now() - began) / 1_000
  rounds.add(name, `flood.${count}.rate`, ((passesOf(active) - passesBefore) * PASS_MB * 1.048576) / seconds)
  addPercentiles(rounds, { name, prefix: `flood.${count}`, samples })
  for (const { flag } of active) if (existsSync(flag)) rmSync(flag)
  await delay(QUIET_MS)
}

const passesOf = (floods) => floods.reduce((sum, { passes }) => sum + statSync(passes).size, 0)
