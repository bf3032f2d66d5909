/** What fifty terminals give back when they are put to sleep: programs, holders, the daemon's screens, the page's drawings. */
import { Chromium } from '../lab/chromium.mjs'
import { delay, until } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { privateBytes } from '../lab/processes.mjs'
import { programPath } from '../lab/programs.mjs'
import { openMany } from './memory.mjs'

const MB = 1e6
const TERMINALS = 50
const HELD_MB = 100 // an agent that waits holds three to six times as much
const SETTLE_MS = 3_000
const VIEWPORT = { width: 1920, height: 1080 }

export const limitS = 240

export async function measure(lab, { say }) {
  if (privateBytes(process.pid) === null) throw new Error('this system does not tell what memory is private (no /proc/PID/smaps_rollup)')
  const holdfast = await Holdfast.start(lab)
  const chromium = await Chromium.start(lab)
  say(`sleep: ${TERMINALS} programs of ${HELD_MB} MB`)
  const opened = await openMany(holdfast, TERMINALS, [process.execPath, programPath('holds-memory.mjs'), `${HELD_MB}`])
  const page = await chromium.openPage(holdfast, VIEWPORT)
  await page.painted(opened.map(({ id }) => ({ id, text: 'holds' })))
  await delay(SETTLE_MS)
  const pids = (await holdfast.ask('terminal.list', {})).flatMap(({ pid, holderPid }) => [pid, holderPid])
  const weigh = async () => ({
    programs: sum(pids),
    daemon: privateBytes(await holdfast.daemonPid()),
    page: sum(await chromium.renderers()),
  })
  const awake = await weigh()
  say(`sleep: ${TERMINALS} terminals fall asleep`)
  const begun = performance.now()
  await Promise.all(opened.map(({ id }) => holdfast.ask('terminal.sleep', { terminal: id, force: true })))
  const took = performance.now() - begun
  await until(async () => (await page.page.locator('.host').count()) === 0, { what: 'no drawing to be left', everyMs: 100 })
  await delay(SETTLE_MS)
  const asleep = await weigh()
  const left = pids.filter((pid) => privateBytes(pid) !== null).length
  await page.close()
  await chromium.close()
  const row = (figure, label, value, unit = 'MB') => ({ figure: `sleep.${figure}`, label, unit, holdfast: [value] })
  const rows = ['programs', 'daemon', 'page'].flatMap((what) => [
    row(`${what}.awake`, `${LABELS[what]}, ${TERMINALS} awake`, awake[what] / MB),
    row(`${what}.asleep`, `${LABELS[what]}, ${TERMINALS} asleep`, asleep[what] / MB),
  ])
  return [...rows, row('processes', 'processes of asleep terminals', left, ''), row('time', `until all ${TERMINALS} sleep`, took, 'ms')]
}

const LABELS = { programs: 'programs and holders', daemon: 'daemon', page: 'page' }

const sum = (pids) => pids.reduce((all, pid) => all + (privateBytes(pid) ?? 0), 0)
