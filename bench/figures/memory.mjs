/** What Holdfast costs in memory that nobody else uses: a holder, the daemon per live terminal and per asleep one. */
import { delay, until } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { privateBytes } from '../lab/processes.mjs'
import { median } from '../statistics.mjs'

const MB = 1e6
const LIVE_TERMINALS = 20
const AT_A_TIME = 4
const SETTLE_MS = 2_000 // start-up garbage is collected, first snapshots are kept

export const limitS = 120

export async function measure(lab, { quick, say }) {
  if (privateBytes(process.pid) === null) throw new Error('this system does not tell what memory is private (no /proc/PID/smaps_rollup)')
  const { asleep, restarts } = quick ? { asleep: LIVE_TERMINALS, restarts: 1 } : { asleep: 60, restarts: 3 }
  const holdfast = await Holdfast.start(lab)
  say('memory: an empty daemon')
  const empty = await freshDaemons(holdfast, restarts)

  say(`memory: ${LIVE_TERMINALS} idle shells`)
  const shells = await openMany(holdfast, LIVE_TERMINALS, ['sh'])
  await delay(SETTLE_MS)
  const live = privateBytes(await holdfast.daemonPid())
  const holders = shells.map(({ holderPid }) => privateBytes(holderPid) / MB)

  say(`memory: ${asleep} asleep terminals`)
  await openMany(holdfast, asleep - LIVE_TERMINALS, ['sh', '-c', 'echo I am done'])
  for (const { id } of shells) await holdfast.ask('terminal.send', { terminal: id, text: 'exit', enter: true })
  const areAsleep = async () => (await holdfast.ask('terminal.list', {})).every(({ state }) => state === 'asleep')
  await until(areAsleep, { what: 'all terminals to be asleep', everyMs: 100 })
  const asleepDaemons = await freshDaemons(holdfast, restarts)
  const left = shells.filter(({ holderPid }) => privateBytes(holderPid) !== null)

  const row = (figure, label, values, unit = 'MB') => ({ figure, label, unit, holdfast: values })
  return [
    row('memory.holder', 'private memory of an idle holder', holders),
    row('memory.live', `daemon per live terminal (0→${LIVE_TERMINALS})`, [(live - median(empty)) / LIVE_TERMINALS / MB]),
    row('memory.asleep', `daemon per asleep terminal (0→${asleep})`, [(median(asleepDaemons) - median(empty)) / asleep / MB]),
    row('memory.asleepProcesses', 'processes of asleep terminals', [left.length], ''),
    row(
      'memory.daemon',
      'private memory of an empty daemon',
      empty.map((bytes) => bytes / MB),
    ),
  ]
}

/** Private memory of daemons that have just started and come to rest. */
async function freshDaemons(holdfast, count) {
  const sizes = []
  for (let index = 0; index < count; index += 1) {
    await holdfast.endDaemon('SIGKILL')
    const pid = await holdfast.daemonPid()
    await delay(SETTLE_MS)
    sizes.push(privateBytes(pid))
  }
  return sizes
}

export async function openMany(holdfast, count, [command, ...args]) {
  const opened = []
  while (opened.length < count) {
    const batch = Math.min(AT_A_TIME, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: batch }, () => holdfast.newTerminal(command, args)))))
  }
  return opened
}
