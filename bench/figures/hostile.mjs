/**
 * What programs can do to the daemon by printing: every kind of event at full speed in eight terminals at once, alone and mixed.
 * Meanwhile the terminals are listed, and keys are typed into another one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { delay, until } from '../lab/clock.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { programPath } from '../lab/programs.mjs'
import { percentile } from '../statistics.mjs'

const FLOODS = fileURLToPath(new URL('../../test/fixtures/programs/floods-events.mjs', import.meta.url))
const TERMINALS = 8
const FLOOD_SECONDS = 60 // longer than a measurement: they are closed before
const GAP_MS = 10
const LOOK_EVERY_MS = 50
const COMMANDS = 10
const UNDER_WAY_MS = 1_000
const CLOSE_WITHIN_MS = 60_000

export const limitS = 400

export async function measure(lab, { quick, say }) {
  const kinds = quick
    ? ['title', 'link', 'mixed']
    : execFileSync(process.execPath, [FLOODS, '--kinds'], { encoding: 'utf8' }).trim().split('\n')
  const keys = quick ? 100 : 150
  const holdfast = await Holdfast.start(lab)
  const typed = await holdfast.open('sh', [programPath('echoes.sh')])
  const probe = await holdfast.attach(typed, { seen: 'ready-to-echo' })
  await probe.keys(keys, GAP_MS)
  const quiet = await probe.keys(keys * 3, GAP_MS)
  const results = []
  for (const kind of kinds) {
    say(`hostile: ${kind}`)
    results.push(await measureKind(holdfast, { kind, probe, keys }))
    const { memory, echoes } = results.at(-1)
    say(`hostile: ${kind}: ${Math.round(memory)} MB, key→echo p99 ${percentile(echoes, 0.99).toFixed(1)} ms`)
  }
  say('hostile: the same programs outside of Holdfast')
  const busy = await besideFloods(() => probe.keys(keys, GAP_MS))
  const worst = (of) => results.reduce((most, result) => (of(result) > of(most) ? result : most))
  const listed = worst(({ lists }) => percentile(lists, 0.99))
  const largest = worst(({ memory }) => memory)
  const echoed = worst(({ echoes }) => percentile(echoes, 0.99))
  const quietP99 = percentile(quiet, 0.99)
  const row = (figure, label, value, unit) => ({ figure, label, unit, holdfast: [value] })
  const against = (peer, own) => ({ ...own, peer: [peer], peerName: 'quiet' })
  const commands = results.flatMap((result) => result.commands)
  const all = results.flatMap(({ echoes }) => echoes)
  return [
    row('hostile.ls.p99', `a list p99, ${TERMINALS} flooding, worst: ${listed.kind}`, percentile(listed.lists, 0.99), 'ms'),
    row('hostile.ls.command', '`holdfast ls` p99, all kinds', percentile(commands, 0.99), 'ms'),
    row('hostile.memory', `daemon at its largest, worst: ${largest.kind}`, largest.memory, 'MB'),
    against(quietP99, row('hostile.echo.p99', 'key→echo p99, all kinds', percentile(all, 0.99), 'ms')),
    against(percentile(quiet, 0.5), row('hostile.echo.p50', 'key→echo p50, all kinds', percentile(all, 0.5), 'ms')),
    against(quietP99, row('hostile.echo.worst', `key→echo p99, worst: ${echoed.kind}`, percentile(echoed.echoes, 0.99), 'ms')),
    against(quietP99, row('hostile.echo.busy', 'the same while they print to /dev/null instead', percentile(busy, 0.99), 'ms')),
    row('hostile.daemon', 'daemons that were lost', results.filter(({ isSame }) => !isSame).length, ''),
  ]
}

async function measureKind(holdfast, { kind, probe, keys }) {
  const args = [FLOODS, kind, '--seconds', String(FLOOD_SECONDS), '--mb', '1000000']
  const watched = await watchDaemon(holdfast)
  const ids = await Promise.all(Array.from({ length: TERMINALS }, () => holdfast.open(process.execPath, args)))
  await delay(UNDER_WAY_MS)
  const echoes = await probe.keys(keys, GAP_MS)
  const commands = await watched.commands(COMMANDS) // after the keys: each takes a processor for a moment
  const outcome = { kind, echoes, commands, ...(await watched.end()) }
  for (const id of ids) await until(() => closed(holdfast, id), { what: `${kind} to end`, timeoutMs: CLOSE_WITHIN_MS })
  return outcome
}

/** What the machine itself does to a key while as many programs use its processors: nothing of theirs reaches Holdfast. */
async function besideFloods(work) {
  const args = [FLOODS, 'mixed', '--seconds', String(FLOOD_SECONDS), '--mb', '1000000']
  const programs = Array.from({ length: TERMINALS }, () => spawn(process.execPath, args, { stdio: 'ignore' }))
  try {
    await delay(UNDER_WAY_MS)
    return await work()
  } finally {
    for (const program of programs) program.kill('SIGKILL')
  }
}

/** One that is still ending is asked about again, until it is gone. */
const closed = (holdfast, id) =>
  holdfast.close(id).then(
    () => true,
    ({ message }) => message.includes('There is no terminal'),
  )

/** Lists the terminals again and again, and looks at the daemon's memory, until `end`. */
export async function watchDaemon(holdfast) {
  const pid = await holdfast.daemonPid()
  const probe = await holdfast.watchLists()
  let memory = 0
  const looking = setInterval(() => {
    memory = Math.max(memory, residentMb(pid))
  }, LOOK_EVERY_MS)
  return {
    /** `holdfast ls`, so many times. */
    commands: (count) => probe.commands(count),
    async end() {
      clearInterval(looking)
      return { lists: await probe.end(), memory, isSame: (await holdfast.daemonPid()) === pid }
    },
  }
}

/** What `top` shows; NaN where the system does not tell. */
function residentMb(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
