/** What a snapshot costs: to take, to write down, to restore; next to the engine's stock serializer doing the same. */
import { writeFileSync } from 'node:fs'
import { makeCorpus } from '../corpora.mjs'
import { SIZE } from '../lab/lab.mjs'
import { askScreenProbe } from '../lab/probe.mjs'
import { median } from '../statistics.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'

const HISTORIES = [0, 1_000, 10_000]
const STEPS = { take: 'taking a snapshot', encode: 'encoding it', restore: 'restoring it' }
/** Of each process: the first ones are the compiler's. */
const REPEATS = { 0: 60, 1000: 12, 10000: 4 }
const LONGEST_LINE = 400 // bytes, on average of the kind that has the longest

export const limitS = 120

export async function measure(lab, { quick, say }) {
  const { count, seconds } = quick ? { count: 1, seconds: 1 } : { count: 7, seconds: 45 }
  const path = lab.path('mixed.bin')
  writeFileSync(path, mixedLines(Math.max(...HISTORIES) + SIZE.rows))
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    say(`snapshot ${round + 1}/${count}`)
    for (const history of HISTORIES) {
      for (const side of inTurn(['holdfast', 'peer'], round)) {
        const times = await askScreenProbe(lab, 'snapshot', { side, path, size: SIZE, history, repeats: REPEATS[history] })
        for (const step of Object.keys(STEPS)) rounds.add(side, `snapshot.${step}.${history}`, median(times[step]))
        rounds.add(side, `snapshot.bytes.${history}`, times.bytes / 1e3)
      }
    }
  }
  const row = (figure, label, unit) => rounds.row({ figure, label, unit, peerName: 'addon-serialize', peer: 'peer' })
  return HISTORIES.flatMap((history) => [
    ...Object.entries(STEPS).map(([step, label]) => row(`snapshot.${step}.${history}`, `${label}, ${history} lines of history`, 'ms')),
    row(`snapshot.bytes.${history}`, `its size, ${history} lines of history`, 'KB'),
  ])
}

/** Logs, colours and other scripts in turn, so that no side is measured with what suits it. */
function mixedLines(count) {
  const kinds = ['log', 'colour', 'unicode'].map((kind) =>
    makeCorpus(kind, { bytes: count * LONGEST_LINE })
      .toString()
      .split('\r\n'),
  )
  return Array.from({ length: count }, (_, index) => `${kinds[index % kinds.length][index]}\r\n`).join('')
}
