/**
 * After power loss: from the first call until the last screens of 100 terminals can be shown. The peer is a script that
 * does for tmux what its restoring plugin does, from text that is on disk already.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { delay, until } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { Tmux, tmuxVersion } from '../lab/tmux.mjs'
import { openMany } from './memory.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'

const run = promisify(execFile)
const TERMINALS = 100
const PANES_PER_WINDOW = 4
const LINES = 200
const LAST_LINE = 'the-last-line'
const ASK_AGAIN_MS = 5
const KEPT_AFTER_MS = 7_000 // a changed screen is kept every five seconds

export const limitS = 240

export async function measure(lab, { quick, say }) {
  const { count, seconds } = quick ? { count: 1, seconds: 1 } : { count: 5, seconds: 60 }
  const holdfast = await furnished(lab, say)
  const sides = [{ name: 'holdfast', boot: () => bootHoldfast(holdfast) }]
  if (tmuxVersion() !== null) sides.push({ name: 'tmux', boot: await tmuxSide(lab, holdfast) })
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    say(`cold ${round + 1}/${count}`)
    for (const side of inTurn(sides, round)) rounds.add(side.name, 'cold', await side.boot())
  }
  const label = `power loss → ${TERMINALS} last screens`
  return [
    { figure: 'cold.ms', label, unit: 'ms', holdfast: rounds.of('holdfast', 'cold') },
    rounds.row({ figure: 'cold', label: 'the same', unit: 'ms', peerName: 'tmux, restored by a script' }),
  ]
}

/** Live terminals whose screens are kept. */
async function furnished(lab, say) {
  const holdfast = await Holdfast.start(lab)
  say(`cold: ${TERMINALS} terminals`)
  const program = ['sh', programPath('shows-history.sh'), `${LINES}`, corpusPath('log', 8), LAST_LINE]
  const terminals = await openMany(holdfast, TERMINALS, program)
  await Promise.all(terminals.map((terminal) => shown(holdfast, terminal)))
  await delay(KEPT_AFTER_MS)
  for (const { holderPid } of terminals) process.kill(holderPid, 'SIGKILL')
  return holdfast
}

/** The daemon is killed too; nothing of it is left but files. */
async function bootHoldfast(holdfast) {
  const terminals = await holdfast.ask('terminal.list', {})
  if (terminals.length !== TERMINALS || terminals.some(({ state }) => state !== 'asleep')) throw new Error('a terminal is not asleep')
  await delay(KEPT_AFTER_MS / 5)
  await holdfast.endDaemon('SIGKILL')
  const began = performance.now()
  await holdfast.ask('daemon.status', {})
  await Promise.all(terminals.map((terminal) => shown(holdfast, terminal)))
  return performance.now() - began
}

async function shown(holdfast, { id }) {
  const isWhole = async () =>
    (await holdfast.ask('terminal.read', { terminal: id, history: 0, format: 'text' })).content.includes(LAST_LINE)
  await until(isWhole, { what: `the last line of ${id}`, everyMs: ASK_AGAIN_MS })
}

/** The same text, kept as a plugin keeps it: one file per pane, and a list of panes. */
async function tmuxSide(lab, holdfast) {
  const folder = lab.path('resurrect')
  mkdirSync(folder)
  const places = Array.from({ length: TERMINALS }, (_, n) => ({ window: Math.floor(n / PANES_PER_WINDOW), pane: n % PANES_PER_WINDOW }))
  const [first] = await holdfast.ask('terminal.list', {})
  const { content } = await holdfast.ask('terminal.read', { terminal: first.id, history: 'all', format: 'ansi' })
  const names = places.map(({ window, pane }) => `${window}.${pane}.txt`)
  for (const name of names) writeFileSync(`${folder}/${name}`, content)
  await run('tar', ['-czf', `${folder}/texts.tar.gz`, '-C', folder, ...names])
  writeFileSync(`${folder}/list`, places.map(({ window, pane }) => `${window}\t${pane}\t${lab.directory}\tpane ${pane}\n`).join(''))
  return async () => {
    const tmux = await Tmux.start(lab)
    const control = await tmux.control()
    const began = performance.now()
    await run(programPath('restores-panes.sh'), [folder], { env: tmux.env })
    await until(async () => (await panesShowing(control)) === TERMINALS, { what: 'the panes of tmux', everyMs: ASK_AGAIN_MS })
    const took = performance.now() - began
    control.close()
    await tmux.end()
    return took
  }
}

async function panesShowing(control) {
  const panes = await control.ask("list-panes -s -t restored -F '#{pane_id}'")
  const texts = await Promise.all(panes.map((pane) => control.ask(`capture-pane -p -t ${pane}`)))
  return texts.filter((lines) => lines.some((line) => line.includes(LAST_LINE))).length
}
