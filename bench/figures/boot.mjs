/** From `kill -9` of the daemon until a client that starts it again can read every terminal; one of them is asked for first. */
import { delay } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { openMany } from './memory.mjs'

const TERMINALS = 50
const LINES = 200
const LAST_LINE = 'the-last-line'
const SETTLE_MS = 1_500 // between crashes: the daemon is at rest, not in the middle of its start

export const limitS = 120

export async function measure(lab, { quick, say }) {
  const count = quick ? 1 : 5
  const holdfast = await Holdfast.start(lab)
  say(`boot: ${TERMINALS} terminals`)
  const program = ['sh', programPath('shows-history.sh'), `${LINES}`, corpusPath('log', 8), LAST_LINE]
  const terminals = await openMany(holdfast, TERMINALS, program)
  await readAll(holdfast, terminals)

  const times = { first: [], all: [] }
  for (let round = 0; round < count; round += 1) {
    say(`boot ${round + 1}/${count}`)
    await delay(SETTLE_MS)
    const began = performance.now()
    await holdfast.endDaemon('SIGKILL')
    const { first, all } = await readAll(holdfast, terminals)
    times.first.push(first - began)
    times.all.push(all - began)
  }
  await samePrograms(holdfast, terminals)
  const row = (figure, label, values) => ({ figure, label, unit: 'ms', holdfast: values })
  return [
    row('boot.first', 'daemon kill -9 → the one looked at', times.first),
    row('boot.all', `daemon kill -9 → ${TERMINALS} terminals answer`, times.all),
  ]
}

/** The newest one is what the user looks at; the others are asked for in the same breath. */
async function readAll(holdfast, terminals) {
  await holdfast.ask('daemon.status', {})
  const [first, ...others] = terminals.toReversed().map((terminal) => readOne(holdfast, terminal))
  return { first: await first, all: Math.max(await first, ...(await Promise.all(others))) }
}

async function readOne(holdfast, { id }) {
  const { content } = await holdfast.ask('terminal.read', { terminal: id, history: 0, format: 'text' })
  if (!content.includes(LAST_LINE)) throw new Error(`${id} does not show its last line, but:\n${content}`)
  return performance.now()
}

async function samePrograms(holdfast, terminals) {
  const now = new Map((await holdfast.ask('terminal.list', {})).map(({ id, pid }) => [id, pid]))
  const changed = terminals.filter(({ id, pid }) => now.get(id) !== pid)
  if (changed.length > 0) throw new Error(`${changed.length} programs did not survive`)
}
