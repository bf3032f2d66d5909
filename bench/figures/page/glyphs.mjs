/** From a key's event to the end of the frame that draws it, in a terminal alone and in one among many of which half flood. */
import { rmSync, writeFileSync } from 'node:fs'
import { delay } from '../../lab/clock.mjs'
import { corpusPath, programPath } from '../../lab/programs.mjs'
import { percentile } from '../../statistics.mjs'
import { Rounds, roundsWithin } from '../rounds.mjs'

const VIEWPORT = { width: 1920, height: 1080 }
const TERMINALS = 16
const FLOODING = 8
const GAP_MS = 50 // on average; a fast typist, out of step with the frames
const WARM_UP_KEYS = 20
const UNDER_WAY_MS = 1_500 // until buffers are full and the flood is at its pace
const READY = 'ready-to-echo'

export async function measureGlyphs({ lab, holdfast, chromium }, { quick, say }) {
  const { keys, count, seconds } = quick ? { keys: 40, count: 1, seconds: 1 } : { keys: 120, count: 5, seconds: 60 }
  const rounds = new Rounds()
  const typed = await holdfast.open('sh', [programPath('echoes.sh')])
  const page = await chromium.openPage(holdfast, VIEWPORT)
  await page.painted([{ id: typed, text: READY }])
  await page.focus(typed)
  await typeKeys(page, WARM_UP_KEYS)
  say('page: keys, alone')
  for (const _ of roundsWithin(seconds, count)) await measureRound(page, { rounds, name: 'alone', keys })
  const flag = lab.path('page-flood')
  const floods = await openOthers({ lab, holdfast, page, flag })
  await page.focus(typed)
  writeFileSync(flag, '')
  await delay(UNDER_WAY_MS)
  say(`page: keys, among ${TERMINALS} of which ${FLOODING} flood`)
  for (const _ of roundsWithin(seconds, count)) await measureRound(page, { rounds, name: 'flood', keys })
  rmSync(flag)
  await page.close()
  for (const id of [typed, ...floods]) await holdfast.close(id)
  return ['alone', 'flood'].flatMap((name) => rowsOf(rounds, name))
}

const WHERE = { alone: '1 terminal', flood: `${TERMINALS}, ${FLOODING} flooding` }

function rowsOf(rounds, name) {
  const row = (part, label, unit) => rounds.row({ figure: `page.${name}.${part}`, label: `${label}, ${WHERE[name]}`, unit })
  return [
    row('p50', 'page: key→glyph p50', 'ms'),
    row('p95', 'page: key→glyph p95', 'ms'),
    row('drawing', 'page: echo→glyph p95', 'ms'),
    row('busy', 'page: busy share', '%'),
  ]
}

async function measureRound(page, { rounds, name, keys }) {
  await page.clear()
  await page.busyShare()
  const samples = await typeKeys(page, keys)
  rounds.add('holdfast', `page.${name}.busy`, 100 * (await page.busyShare()))
  const times = samples.map(({ ms }) => ms)
  rounds.add('holdfast', `page.${name}.p50`, percentile(times, 0.5))
  rounds.add('holdfast', `page.${name}.p95`, percentile(times, 0.95))
  const drawing = samples.map(({ drawingMs }) => drawingMs)
  rounds.add('holdfast', `page.${name}.drawing`, percentile(drawing, 0.95))
}

async function typeKeys(page, count) {
  const samples = []
  for (let index = 0; index < count; index += 1) {
    await delay(GAP_MS * (0.5 + Math.random()))
    samples.push(await page.key('xyzvw'[index % 5]))
  }
  return samples
}

/** Floods that wait for the flag, and quiet shells. */
async function openOthers({ lab, holdfast, page, flag }) {
  const corpus = corpusPath('agent', 1)
  const others = []
  for (let index = 1; index < TERMINALS; index += 1) {
    const isFlood = index <= FLOODING
    const passes = lab.path(`page-passes-${index}`)
    const args = isFlood ? [programPath('floods.sh'), flag, corpus, passes] : [programPath('echoes.sh')]
    others.push({ id: await holdfast.open('sh', args), text: isFlood ? 'ready-to-flood' : READY })
  }
  await page.painted(others)
  return others.map(({ id }) => id)
}
