/** How fast a screen takes bytes in, by processor time, next to the engine it is built on without anything of ours: what our own part costs. */
import { CORPORA } from '../corpora.mjs'
import { SIZE } from '../lab/lab.mjs'
import { askScreenProbe } from '../lab/probe.mjs'
import { corpusPath } from '../lab/programs.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'

const SCROLLBACK_LINES = 2_000 // the default of the configuration

export const limitS = 90

export async function measure(lab, { quick, say }) {
  const { mb, count, seconds } = quick ? { mb: 8, count: 2, seconds: 6 } : { mb: 16, count: 7, seconds: 45 }
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    say(`feeding ${round + 1}/${count}`)
    for (const kind of CORPORA) {
      for (const side of inTurn(['holdfast', 'peer'], round)) {
        const options = { side, path: corpusPath(kind, mb), size: SIZE, scrollback: SCROLLBACK_LINES }
        const { ms } = await askScreenProbe(lab, 'feed', options)
        rounds.add(side, `feeding.${kind}`, (mb * 1.048576) / (ms / 1_000))
      }
    }
  }
  return CORPORA.map((kind) =>
    rounds.row({
      figure: `feeding.${kind}`,
      label: `feeding a screen, ${kind}, per second of processor time`,
      unit: 'MB/s',
      peerName: 'bare @xterm/headless',
      peer: 'peer',
    }),
  )
}
