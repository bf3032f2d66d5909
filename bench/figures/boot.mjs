/** From `kill -9` of the daemon until a client that starts it again can read every terminal; one of them is asked for first. */
import { delay, until } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { openMany } from './memory.mjs'
import { roundsWithin } from './rounds.mjs'

const TERMINALS = 50
const LINES = 200
const LAST_LINE = 'the-last-line'
const ASK_AGAIN_MS = 5
const SETTLE_MS = 1_500 // between crashes: the daemon is at rest, not in the middle of its start

export const limitS = 120

export async function measure(lab, { quick, say }) {
  const { count, seconds } = quick ? { count: 1, seconds: 1 } : { count: 5, seconds: 25 }
  const holdfast = await Holdfast.start(lab)
  say(`boot: ${TERMINALS} terminals`)
  const program = ['sh', programPath('shows-history.sh'), `${LINES}`, corpusPath('log', 8), LAST_LINE]
  const terminals = await openMany(holdfast, TERMINALS, program)
  await readAll(holdfast, terminals)

  const times = { first: [], all: [], empty: [] }
  for (const round of roundsWithin(seconds, count)) {
    say(`boot ${round + 1}/${count}`)
    await delay(SETTLE_MS)
    const began = performance.now()
    await holdfast.endDaemon('SIGKILL')
    const answers = await readAll(holdfast, terminals)
    times.first.push(answers[0].at - began)
    times.all.push(Math.max(...answers.map(({ at }) => at)) - began)
    times.empty.push(answers.reduce((sum, { empty }) => sum + empty, 0))
  }
  await samePrograms(holdfast, terminals)
  const row = (figure, label, values, unit = 'ms') => ({ figure, label, unit, holdfast: values })
  return [
    row('boot.first', 'daemon kill -9 → the one looked at', times.first),
    row('boot.all', `daemon kill -9 → ${TERMINALS} terminals answer`, times.all),
    row('boot.empty', 'answers meanwhile that showed nothing', times.empty, ''),
  ]
}

/** The newest one is what the user looks at; the others are asked for in the same breath. */
async function readAll(holdfast, terminals) {
  await holdfast.ask('daemon.status', {})
  return Promise.all(terminals.toReversed().map((terminal) => readOne(holdfast, terminal)))
}

/** An answer without the last line is a wrong one: it is counted, and asked again. */
async function readOne(holdfast, { id }) {
  let empty = -1
  const isWhole = async () => {
    empty += 1
    const { content } = await holdfast.ask('terminal.read', { terminal: id, history: 0, format: 'text' })
    return content.includes(LAST_LINE)
  }
  await until(isWhole, { what: `the last line of ${id}`, everyMs: ASK_AGAIN_MS })
  return { at: performance.now(), empty }
}

async function samePrograms(holdfast, terminals) {
  const now = new Map((await holdfast.ask('terminal.list', {})).map(({ id, pid }) => [id, pid]))
  const changed = terminals.filter(({ id, pid }) => now.get(id) !== pid)
  if (changed.length > 0) throw new Error(`${changed.length} programs did not survive`)
}
