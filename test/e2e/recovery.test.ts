import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { daemonsOf, holdersOf, killDaemon, list, programsOf, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { change, powerCut, query, takeCheckpoint, topologyOf } from '../support/restoring.ts'

const says = (text: string): readonly string[] => ['--', 'sh', '-c', `echo ${text}; exec sleep 300`]
const start = (home: Home, trip?: string) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
const config = (home: Home, text: string): void => writeFileSync(`${home.path}/config.toml`, `[web]\nport = 0\n${text}`)
const audit = (home: Home): string[] =>
  query(home, 'SELECT what, terminal, details FROM audit ORDER BY number').map(
    ({ what, terminal, details }) => `${what} ${terminal ?? '-'} ${details}`,
  )

async function terminal(home: Home, name: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await run(home, ['new', '--name', name, ...args])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return stdout.trim()
}

/** A holder keeps what was printed a moment before it writes it. */
const isLogged = (home: Home, text: string): boolean =>
  readdirSync(`${home.path}/runs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .some((name) => readFileSync(`${home.path}/runs/${name}`).includes(text))

async function threeTerminals(home: Home): Promise<string[]> {
  const ids = [await terminal(home, 'one', ...says('first')), await terminal(home, 'two', ...says('second'))]
  ids.push(await terminal(home, 'three', ...says('third')))
  const texts = ['first', 'second', 'third']
  await until(() => texts.every((text) => isLogged(home, text)), { what: 'what they say to be on the disk' })
  return ids
}

function deleteDatabase(home: Home): void {
  for (const name of readdirSync(home.path)) if (name.startsWith('holdfast.db')) rmSync(`${home.path}/${name}`)
}

test('after a power cut every terminal is there, asleep because lost, in its place, with its last screen; nothing runs', async () => {
  await using home = makeHome()
  config(home, '')
  const ids = await threeTerminals(home)
  const topology = topologyOf(home)
  await powerCut(home)
  await start(home)
  const after = await list(home)
  expect(after.map(({ id, state, because }) => ({ id, state, because }))).toEqual(
    ids.map((id) => ({ id, state: 'asleep', because: { kind: 'lost' } })),
  )
  expect(topologyOf(home)).toEqual(topology)
  for (const [index, text] of ['first', 'second', 'third'].entries())
    expect((await run(home, ['read', String(ids[index])])).stdout).toContain(text)
  expect(programsOf(home)).toEqual([])
  await until(() => audit(home).some((entry) => entry.startsWith('recover -')), { what: 'the decisions to be written down' })
  for (const id of ids) expect(audit(home).some((entry) => entry.startsWith(`markLost ${id}`))).toBe(true)
  await until(() => query(home, 'SELECT 1 FROM sessions WHERE recovered_at IS NOT NULL').length === 1, {
    what: 'the crash to be dealt with',
  })
})

test('a crash that a reboot came after is told from one that it did not', async () => {
  await using home = makeHome()
  config(home, '')
  await terminal(home, 'one', ...says('first'))
  await powerCut(home)
  await start(home)
  await until(() => audit(home).some((entry) => entry.startsWith('recover') && entry.includes('"hasRebooted":false')), {
    what: 'no reboot',
  })
  await powerCut(home)
  const otherBoot = '00000000-0000-4000-8000-000000000000'
  change(home, "UPDATE sessions SET host_id = json_set(host_id, '$.boot', ?)", otherBoot)
  await start(home)
  await until(() => audit(home).some((entry) => entry.startsWith('recover') && entry.includes('"hasRebooted":true')), { what: 'a reboot' })
})

test('a daemon that dies while it deals with a crash is followed by one that deals with both, and wakes what is to be woken', async () => {
  await using home = makeHome()
  config(home, '')
  await threeTerminals(home)
  await run(home, ['restore', '--set', 'wake', 'two'])
  await powerCut(home)
  await start(home, 'recover:before-mark')
  await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
  await start(home)
  await until(async () => (await list(home)).find(({ name }) => name === 'two')?.state === 'live', { what: 'it to be woken' })
  expect((await list(home)).map(({ name, state }) => `${name} ${state}`)).toEqual(['one asleep', 'two live', 'three asleep'])
  expect(query(home, 'SELECT 1 FROM sessions WHERE shutdown_clean = 0 AND recovered_at IS NOT NULL')).toHaveLength(2)
})

test('a terminal that was closed after the checkpoint does not come back after a crash', async () => {
  await using home = makeHome()
  config(home, '')
  const [one, two, three] = await threeTerminals(home)
  await takeCheckpoint(home)
  await run(home, ['close', '--yes', String(two)])
  await powerCut(home)
  await start(home)
  expect((await list(home)).map(({ id }) => id)).toEqual([one, three])
})

test('without its database the workspace comes back from the copy beside it, with screens from the logs', async () => {
  await using home = makeHome()
  config(home, '')
  const ids = await threeTerminals(home)
  const topology = topologyOf(home)
  await takeCheckpoint(home)
  await powerCut(home)
  deleteDatabase(home)
  await start(home)
  expect((await list(home)).map(({ id, name, state }) => `${id} ${name} ${state}`)).toEqual([
    `${ids[0]} one asleep`,
    `${ids[1]} two asleep`,
    `${ids[2]} three asleep`,
  ])
  expect(topologyOf(home)).toEqual(topology)
  expect((await run(home, ['read', 'two'])).stdout).toContain('second')
  expect((await status(home)).troubles.join('\n')).toMatch(/missing in the database: the layout and 3 records came from checkpoint c/)
  await run(home, ['daemon', 'stop'])
  await start(home)
  expect(await list(home)).toHaveLength(3)
})

test('without its database, programs that run are found again under the names and in the places they had', async () => {
  await using home = makeHome()
  config(home, '')
  const ids = await threeTerminals(home)
  const topology = topologyOf(home)
  await takeCheckpoint(home)
  killDaemon(home)
  deleteDatabase(home)
  await start(home)
  expect((await list(home)).map(({ id, name, state }) => `${id} ${name} ${state}`)).toEqual([
    `${ids[0]} one live`,
    `${ids[1]} two live`,
    `${ids[2]} three live`,
  ])
  expect(topologyOf(home)).toEqual(topology)
})

test.each(['recover:before-keep', 'recover:after-keep'])(
  'a daemon that dies at %s while it brings back a lost database is followed by one that brings it back',
  async (point) => {
    await using home = makeHome()
    config(home, '')
    const ids = await threeTerminals(home)
    const topology = topologyOf(home)
    await takeCheckpoint(home)
    await powerCut(home)
    deleteDatabase(home)
    await start(home, point)
    killDaemon(home)
    await start(home)
    expect((await list(home)).map(({ id, state }) => `${id} ${state}`)).toEqual(ids.map((id) => `${id} asleep`))
    expect(topologyOf(home)).toEqual(topology)
  },
)

test('a record that cannot be decoded and a layout that is gone are filled in from the checkpoint; the others stay as they are', async () => {
  await using home = makeHome()
  config(home, '')
  const [one, two, three] = await threeTerminals(home)
  const before = topologyOf(home)
  await takeCheckpoint(home)
  await run(home, ['rename', 'three', 'newer'])
  await run(home, ['close', '--yes', 'one'])
  await powerCut(home)
  change(home, 'UPDATE terminals SET record = ? WHERE id = ?', '{"state":"li', String(two))
  change(home, 'UPDATE topology SET body = ?', 'no layout')
  await start(home)
  expect((await list(home)).map(({ id, name, state }) => ({ id, name, state }))).toEqual([
    { id: two, name: 'two', state: 'asleep' },
    { id: three, name: 'newer', state: 'asleep' },
  ])
  expect(JSON.stringify(topologyOf(home))).not.toContain(one)
  expect((topologyOf(home) as { groups: { id: string }[] }).groups[0]?.id).toBe((before as { groups: { id: string }[] }).groups[0]?.id)
  expect((await run(home, ['read', 'two'])).stdout).toContain('second')
  expect(audit(home).some((entry) => entry.startsWith(`fill in ${two}`))).toBe(true)
  expect(readdirSync(home.path).some((name) => name.startsWith(`undecodable-${two}`))).toBe(true)
})

test('a last screen that is gone is replaced by the one of the checkpoint', async () => {
  await using home = makeHome()
  config(home, '')
  await terminal(home, 'one', ...says('painted'))
  await run(home, ['wait', 'one', '--text', 'painted', '--timeout', '10'])
  await takeCheckpoint(home)
  await powerCut(home)
  change(home, 'DELETE FROM snapshots')
  for (const run of readdirSync(`${home.path}/runs`))
    for (const name of readdirSync(`${home.path}/runs/${run}`)) if (name.endsWith('.log')) rmSync(`${home.path}/runs/${run}/${name}`)
  await start(home)
  expect((await run(home, ['read', 'one'])).stdout).toContain('painted')
})

const SHELL = ['--', 'sh']
const AGENT_LIKE = ['--', 'sh', '-c', 'echo working; exec sleep 300']

/** In the order in which they were started. */
async function woken(home: Home, count: number): Promise<string[]> {
  await until(async () => (await list(home)).filter(({ state }) => state === 'live').length === count, { what: `${count} to be live` })
  const live = (await list(home)).filter(({ state }) => state === 'live')
  return live.sort((a, b) => askedAt(home, a.id) - askedAt(home, b.id)).map(({ name }) => name ?? '')
}

/** Where the daemon has logged that it wakes the terminal. One that was asked later may start sooner. */
const askedAt = (home: Home, id: string): number =>
  readFileSync(`${home.path}/logs/daemon.log`, 'utf8')
    .split('\n')
    .findLastIndex((line) => line.includes(id) && line.includes('"wakeAsked"'))

test('the policy wakes what it names after a power cut, the one looked at first, and what was said of one terminal wins', async () => {
  await using home = makeHome()
  config(home, '[restore]\npolicy = "shells"\nstagger_ms = 300\n')
  await terminal(home, 'sh-a', ...SHELL)
  await terminal(home, 'sh-b', ...SHELL)
  await terminal(home, 'program', ...AGENT_LIKE)
  await terminal(home, 'stays', '--restore', 'sleep', ...SHELL)
  await terminal(home, 'wakes', ...AGENT_LIKE)
  await run(home, ['restore', '--set', 'wake', 'wakes'])
  await terminal(home, 'ended', ...SHELL)
  await run(home, ['send', 'ended', 'exit', '--enter'])
  await run(home, ['wait', 'ended', '--exit', '--timeout', '10'])
  await run(home, ['send', 'sh-b', 'echo typed', '--enter'])
  const focused = (await list(home)).find(({ name }) => name === 'sh-b')?.id ?? ''
  // The one that has ended was typed into before, and may have been kept first.
  const isKept = () => JSON.stringify(query(home, "SELECT * FROM settings WHERE key = 'focused'")).includes(focused)
  await until(isKept, { what: 'the focus to be kept' })
  await powerCut(home)
  await start(home)
  expect(await woken(home, 3)).toEqual(['sh-b', 'sh-a', 'wakes'])
  expect((await list(home)).filter(({ state }) => state === 'asleep').map(({ name }) => name)).toEqual(['program', 'stays', 'ended'])
  expect(audit(home).filter((entry) => entry.startsWith('not woken'))).toHaveLength(2)
})

test('no more are woken than allowed, and none after an orderly end or when only the daemon died', async () => {
  await using home = makeHome()
  config(home, '[restore]\npolicy = "all"\nstagger_ms = 100\nmost = 2\n')
  for (const name of ['a', 'b', 'c', 'd']) await terminal(home, name, ...SHELL)
  killDaemon(home)
  await start(home)
  expect((await list(home)).map(({ state }) => state)).toEqual(Array(4).fill('live'))
  await until(() => audit(home).some((entry) => entry.startsWith('recover')), { what: 'the recovery' })
  expect(audit(home).some((entry) => /^(not woken|wake)/.test(entry))).toBe(false)
  await run(home, ['daemon', 'stop'])
  for (const holder of holdersOf(home)) process.kill(holder.pid, 'SIGKILL')
  await until(() => holdersOf(home).length === 0, { what: 'the holders to be gone' })
  await start(home)
  expect((await list(home)).map(({ state }) => state)).toEqual(Array(4).fill('asleep'))
  expect(audit(home).some((entry) => /^(not woken|wake)/.test(entry))).toBe(false)
  for (const name of ['a', 'b', 'c', 'd']) await run(home, ['wake', name])
  await powerCut(home)
  await start(home)
  expect(await woken(home, 2)).toEqual(['a', 'b'])
  await until(() => audit(home).filter((entry) => entry.includes('at most 2 are woken')).length === 2, { what: 'the others to be told' })
  expect(existsSync(`${home.path}/holdfast.db`)).toBe(true)
})
