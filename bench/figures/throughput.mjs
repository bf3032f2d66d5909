/**
 * How fast a program can print, by its own clock, with a client that reads everything and with nobody attached.
 * A program can only be as fast as whoever reads its terminal; buffers on the way are small against the corpus.
 */
import { existsSync, readFileSync } from 'node:fs'
import { CORPORA } from '../corpora.mjs'
import { until } from '../lab/clock.mjs'
import { corpusPath, makeFifo, programPath, release } from '../lab/programs.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'
import { startSides } from './sides.mjs'

const READY = 'ready-to-cat'
const DONE_WITHIN_MS = 60_000
const MODES = ['attached', 'detached']

export const limitS = 150

export async function measure(lab, { quick, say }) {
  const { mb, count, seconds } = quick ? { mb: 8, count: 1, seconds: 1 } : { mb: 16, count: 3, seconds: 70 }
  const corpora = CORPORA.map((kind) => ({ kind, path: corpusPath(kind, mb), mb: (mb * 1024 * 1024) / 1e6 }))
  const { sides } = await startSides(lab)
  const rounds = new Rounds()
  let run = 0
  for (const round of roundsWithin(seconds, count)) {
    for (const corpus of corpora) {
      for (const mode of MODES) {
        say(`throughput ${round + 1}/${count}: ${corpus.kind}, ${mode}`)
        for (const side of inTurn(sides, round)) {
          const seconds = await timeOne(lab, { side, corpus, mode, run: run++ })
          rounds.add(side.name, `throughput.${mode}.${corpus.kind}`, corpus.mb / seconds)
        }
      }
    }
  }
  const row = (mode, kind) =>
    rounds.row({ figure: `throughput.${mode}.${kind}`, label: `throughput ${mode}, ${kind}`, unit: 'MB/s', peerName: `tmux ${mode}` })
  return MODES.flatMap((mode) => CORPORA.map((kind) => row(mode, kind)))
}

async function timeOne(lab, { side, corpus, mode, run }) {
  const fifo = makeFifo(lab.path(`go-${run}`))
  const times = lab.path(`times-${run}`)
  const terminal = await side.open('sh', [programPath('cats-timed.sh'), fifo, corpus.path, times])
  await until(() => existsSync(`${times}.ready`), { what: 'the program to be ready' })
  const client = mode === 'attached' ? await side.attach(terminal, { seen: READY }) : null
  await client?.drain()
  const closeFifo = release(fifo)
  await until(() => existsSync(times), { what: `${side.name} to print ${corpus.kind}`, timeoutMs: DONE_WITHIN_MS })
  closeFifo()
  await client?.close()
  await side.close(terminal)
  const [began, ended] = readFileSync(times, 'utf8').trim().split(' ').map(BigInt)
  return Number(ended - began) / 1e9
}
