import { spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test as inTurn } from 'vitest'
import type { HealthView, WatchedView } from '../../src/wire/healthView.ts'
import { connectTo, daemonsOf, health, killDaemon, list } from '../support/daemon.ts'
import { environment, HOLDFAST, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** They wait far more than they work, each on a home of its own. */
const test = inTurn.concurrent

const SHELL = ['--', 'sh', '-c', 'echo hello from $0; while read line; do echo "got $line"; done', 'fixture']

/** A home whose daemon looks at everything every second. */
function makeWatchfulHome(): Home {
  const home = makeHome()
  writeFileSync(`${home.path}/config.toml`, '[health]\ninterval_s = 1\ndeadline_ms = 800\n[web]\nport = 0\n')
  return home
}

type Noted = { readonly id: string; readonly kind?: string; readonly from?: string; readonly to?: string; readonly why?: string | null }

/** What the audit says of health, in order. */
function audit(home: Home): Noted[] {
  const database = new DatabaseSync(`${home.path}/holdfast.db`)
  try {
    const rows = database.prepare("SELECT details FROM audit WHERE what = 'health' ORDER BY number").all() as { details: string }[]
    return rows.map(({ details }) => JSON.parse(details) as Noted)
  } finally {
    database.close()
  }
}

const changes = (home: Home, kind: string): string[] =>
  audit(home).flatMap((noted) => (noted.kind === kind ? [`${noted.from} → ${noted.to}`] : []))

const of = ({ watched }: HealthView, kind: string): WatchedView | undefined => watched.find((each) => each.kind === kind)

const healthWhere = (home: Home, what: string, isSo: (seen: HealthView) => boolean): Promise<HealthView> =>
  until(
    async () => {
      const seen = await health(home)
      return isSo(seen) && seen
    },
    { what, timeoutMs: 15_000 },
  )

const isWell = ({ overall, watched }: HealthView): boolean => overall === 'well' && watched.every(({ state }) => state === 'alive')

test('a stopped holder is told from a dead one, is made to go on, and all of it can be read later; a killed one is lost', async () => {
  await using home = makeWatchfulHome()
  await run(home, ['new', '--name', 'api', ...SHELL])
  await run(home, ['new', '--name', 'other', ...SHELL])
  await healthWhere(home, 'all to be well', isWell)
  expect(await run(home, ['health'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK: .*2 holders/) })
  expect((await run(home, ['health', '--check', '--json'])).stdout).toContain('"overall": "well"')
  const events = watchJson(home)

  const [api] = await list(home)
  const { holderPid, pid } = { holderPid: api?.holderPid ?? 0, pid: api?.pid ?? 0 }
  process.kill(holderPid, 'SIGSTOP')
  const silent = await healthWhere(home, 'a first strike', (seen) => of(seen, 'holder')?.state === 'verifying')
  expect(silent).toMatchObject({ overall: 'degraded' })
  expect(of(silent, 'holder')).toMatchObject({ name: 'api', terminal: api?.id, why: 'its holder is stopped; its program keeps running' })
  const dead = await until(async () => (await run(home, ['health'])).code === 1 && (await run(home, ['health'])).stdout, {
    what: 'the holder not to answer',
  })
  expect(dead).toMatch(
    /holder {2}api {3}not answering {2}\d+s +its holder is stopped; its program keeps running\nEverything else is OK: .*1 holder/,
  )
  process.kill(pid, 0) // its program never noticed
  await healthWhere(home, 'the holder to be well again', isWell)
  await until(() => changes(home, 'holder').at(-1) === 'recovering → alive', { what: 'the audit to tell the end' })
  expect(changes(home, 'holder')).toEqual(['alive → verifying', 'verifying → dead', 'dead → recovering', 'recovering → alive'])
  expect((await list(home)).map(({ state, pid: now }) => `${state} ${now === pid}`)).toEqual(['live true', 'live false'])
  const told = (await events.end()).map(({ overall }) => overall)
  expect([told[0], ...new Set(told), told.at(-1)]).toEqual(['well', 'well', 'degraded', 'ill', 'well'])

  process.kill(holderPid, 'SIGKILL')
  await until(async () => (await list(home)).find(({ because }) => because?.kind === 'lost'), { what: 'the terminal to be lost' })
  const after = await healthWhere(home, 'the others to be well', isWell)
  expect(after.watched.filter(({ kind }) => kind === 'holder').map(({ name }) => name)).toEqual(['other'])
  const why = 'its holder is gone, and its program with it'
  await until(() => audit(home).some((noted) => noted.to === 'dead' && noted.why === why), { what: 'the audit to tell of the loss' })
})

/** What `health --watch --json` prints until it is ended. */
function watchJson(home: Home): { end(): Promise<HealthView[]> } {
  const child = spawn(process.execPath, [HOLDFAST, 'health', '--watch', '--json'], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (part: Buffer) => {
    text += part.toString()
  })
  const lines = (): HealthView[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HealthView]))
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    async end() {
      await until(() => lines().some(({ overall }) => overall === 'ill') && lines().at(-1)?.overall === 'well', {
        what: 'the end of the story',
      })
      child.kill('SIGTERM')
      await ended
      return lines()
    },
  }
}

test('a socket that was cleaned away is put back as soon as somebody asks', async () => {
  await using home = makeWatchfulHome()
  await run(home, ['new', '--name', 'api', ...SHELL])
  await healthWhere(home, 'all to be well', isWell)
  const id = of(await health(home), 'holder')?.id.replace('holder:', '')
  const socket = `${home.path}/sockets/${id}.sock`
  rmSync(socket)
  await until(() => existsSync(socket), { what: 'the socket to be back', timeoutMs: 5_000 })
  await until(() => audit(home).some(({ why }) => why === 'its socket was gone and was restored'), { what: 'the audit to say so' })
  await healthWhere(home, 'all to be well', isWell)
  await run(home, ['send', 'api', 'still there', '--enter'])
  expect((await run(home, ['wait', 'api', '--text', 'got still there', '--timeout', '10'])).code).toBe(0)
})

test('threads of the daemon that end or hang are replaced, and everything they did goes on', async () => {
  await using home = makeWatchfulHome()
  const trip = `${home.path}/trip`
  const env = { HOLDFAST_TRIP: `thread:${trip}` }
  await run(home, ['new', '--name', 'api', ...SHELL], { env })
  await healthWhere(home, 'all to be well', isWell)
  const [daemon] = daemonsOf(home)
  const recovered = async (kind: string, how: string): Promise<string[]> => {
    const before = changes(home, kind).length
    writeFileSync(trip, `${kind} ${how}`)
    await until(() => !existsSync(trip), { what: `the thread of ${kind} to ${how}` })
    await until(() => changes(home, kind).slice(before).at(-1)?.endsWith('→ alive'), {
      what: `${kind} to be well again`,
      timeoutMs: 15_000,
    })
    return changes(home, kind).slice(before)
  }
  // Its successor begins at once, without anybody's recovery.
  expect(await recovered('screens', 'end')).toEqual(['alive → dead', 'dead → alive'])
  expect(await recovered('screens', 'hang')).toEqual(['alive → verifying', 'verifying → dead', 'dead → recovering', 'recovering → alive'])
  expect(await recovered('search', 'end')).toEqual(['alive → dead', 'dead → recovering', 'recovering → alive'])
  const stored = await recovered('store', 'end')
  expect(stored).toEqual(['alive → dead', 'dead → recovering', 'recovering → alive'])
  expect(daemonsOf(home)).toEqual([daemon])

  expect((await run(home, ['new', '--name', 'late', ...SHELL])).code).toBe(0)
  await run(home, ['send', 'api', 'after all that', '--enter'])
  expect((await run(home, ['wait', 'api', '--text', 'got after all that', '--timeout', '10'])).code).toBe(0)
  killDaemon(home)
  expect((await list(home)).map(({ name, state }) => `${name} ${state}`)).toEqual(['api live', 'late live'])
})

test('a clock that is moved is held against nobody', async () => {
  await using home = makeHome()
  const injected = `${home.path}/injected`
  writeFileSync(`${home.path}/config.toml`, '[health]\ninterval_s = 1\ndeadline_ms = 1000\n[web]\nport = 0\n')
  await run(home, ['new', '--name', 'api', ...SHELL], { env: { HOLDFAST_TRIP: `health:${injected}` } })
  await healthWhere(home, 'all to be well', isWell)
  const [api] = await list(home)
  process.kill(api?.holderPid ?? 0, 'SIGSTOP')
  await healthWhere(home, 'two strikes', (seen) => of(seen, 'holder')?.strikes === 2)
  writeFileSync(injected, JSON.stringify({ clockOffsetMs: 3_600_000 }))
  const forgiven = await healthWhere(home, 'the strikes to be forgotten', (seen) => of(seen, 'holder')?.strikes !== 2)
  expect(of(forgiven, 'holder')).toMatchObject({ state: 'verifying', strikes: 0 })
  process.kill(api?.holderPid ?? 0, 'SIGCONT')
  await healthWhere(home, 'all to be well', isWell)
  await until(() => audit(home).some(({ id }) => id === 'the clock jumped'), { what: 'the audit to tell of the jump' })
  expect(changes(home, 'holder').filter((change) => change.endsWith('→ dead'))).toEqual([])
})

test('short of room, the daemon leaves things undone in stages, says so, and takes it back', async () => {
  await using home = makeWatchfulHome()
  const injected = `${home.path}/injected`
  const measured = (measures: object): void => writeFileSync(injected, JSON.stringify({ measures }))
  await run(home, ['new', '--name', 'api', ...SHELL], { env: { HOLDFAST_TRIP: `health:${injected}` } })
  await healthWhere(home, 'all to be well', isWell)

  measured({ disk: { bytes: 100 << 20, total: 2 ** 40 } })
  const first = await healthWhere(home, 'stage 1', ({ load }) => load.stage === 1)
  expect(first).toMatchObject({ overall: 'degraded', load: { why: 'the disk is nearly full: less than 256 MB left' } })
  measured({ disk: { bytes: 1 << 20, total: 2 ** 40 } })
  await healthWhere(home, 'stage 3', ({ load }) => load.stage === 3)
  const refused = await run(home, ['new', '--name', 'late', ...SHELL])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The daemon is overloaded; new terminals are refused: the disk is nearly full'),
  })
  expect((await run(home, ['health'])).stdout).toContain('Load, stage 3 of 3: the disk is nearly full')
  expect((await run(home, ['daemon', 'status'])).stdout).toContain('load, stage 3')
  // Whoever wants to look, or to end something, still can.
  await run(home, ['send', 'api', 'still there', '--enter'])
  expect((await run(home, ['wait', 'api', '--text', 'got still there', '--timeout', '10'])).code).toBe(0)
  expect(await opens(home)).toBe('open')

  measured({ heapShare: 0.95 })
  await healthWhere(home, 'another cause', ({ load }) => load.why?.startsWith('the daemon uses') === true)
  expect(await opens(home)).toBe('overloaded')
  measured({})
  expect((await run(home, ['new', '--name', 'late', ...SHELL])).code).toBe(0)
  await healthWhere(home, 'all to be well', isWell)
})

/** Whether a page may look at the terminal. */
async function opens(home: Home): Promise<string> {
  const client = await connectTo(home)
  const opened = await client.request('terminal.open', { terminal: 'api', window: 1 << 20 })
  client.close()
  return opened.ok ? 'open' : opened.refusal.code
}

test('a daemon that crashed is started by the next question, which is answered', async () => {
  await using home = makeWatchfulHome()
  await run(home, ['new', '--name', 'api', ...SHELL])
  const [before] = await list(home)
  const [first] = daemonsOf(home)
  killDaemon(home)
  expect((await run(home, ['health'])).code).toBe(0)
  expect(daemonsOf(home)).toHaveLength(1)
  expect(daemonsOf(home)).not.toEqual([first])
  expect((await list(home))[0]).toMatchObject({ id: before?.id, pid: before?.pid, state: 'live' })
  await healthWhere(home, 'all to be well', isWell)
})
