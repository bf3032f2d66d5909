import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckpointSummaryView } from '../../src/wire/checkpointView.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import type { ForgetPlanView } from '../../src/wire/commands/forget.ts'
import { connectTo, daemonsOf, list, programsOf, status } from '../support/daemon.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import { copyHome, type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'
import { change, query } from '../support/restoring.ts'
import { tracesOf } from '../support/traces.ts'

/** Forgetting is proved by asking every store, not by what it says: test/support/traces.ts finds the tables and files by itself. */

/** Letters and digits only, so that it is one word to the index. */
type Marked = { readonly name: string; readonly marker: string }
const VICTIM: Marked = { name: 'victim', marker: 'vqzxkwjm7f3b9e1d5c0a82' }
const NEIGHBOUR: Marked = { name: 'neighbour', marker: 'nwyjqpzk4a8c2e6b0d7f19' }

const start = (home: Home, trip?: string) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })

/** Through a connection: where the words of the CLI are not the point, its start would cost more than the question. */
async function ask<Name extends CommandName>(home: Home, command: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const daemon = await connectTo(home)
  try {
    const answer = await daemon.request(command, params)
    return answer.ok ? answer.value.result : expect.fail(`${answer.refusal.message} ${answer.refusal.hint}`)
  } finally {
    daemon.close()
  }
}

const checkpoint = (home: Home): Promise<unknown> => ask(home, 'checkpoint.create', {})
const printed = (home: Home, terminal: string, pattern: string): Promise<unknown> =>
  ask(home, 'terminal.wait', { terminal, until: { kind: 'text', pattern }, timeoutMs: 20_000 })
const sleep = (home: Home, terminal: string): Promise<unknown> => ask(home, 'terminal.sleep', { terminal, force: true })
const idOf = async (home: Home, { name }: Marked): Promise<string> =>
  (await list(home)).find((terminal) => terminal.name?.startsWith(name))?.id ?? expect.fail(`${name} is not there`)

/** Prints it into its title, its screen, its history and far above that. */
const FILL = 'seq -f "line %06.0f of what fills the log until there is an anchor beside it" 1 300'
const PRINTS = [
  `printf "\\033]0;%s\\007" "$1"; echo "first $1"; ${FILL}; echo "history $1"; seq 1 100`,
  `echo "last $1"; while read -r x; do ${FILL}; echo "again $1 $x"; done`,
].join('; ')

type Given = {
  readonly name: string
  readonly cwd?: string
  readonly env?: Record<string, string>
  readonly prints: string
  readonly marker: string
}

const make = async (home: Home, { name, cwd = '/', env = {}, prints, marker }: Given): Promise<string> =>
  (await ask(home, 'terminal.new', { name, cwd, env, command: 'sh', args: ['-c', prints, 'sh', marker] })).id

/** In its name, directory, arguments, variables, title, screens, history, anchors, index, checkpoints, and a file dropped onto it. */
async function makeMarked(home: Home, { name, marker }: Marked, root: string): Promise<void> {
  const cwd = join(root, marker)
  mkdirSync(cwd)
  const id = await make(home, { name: `${name}${marker}`, cwd, env: { EDITOR: marker, KIND: marker }, prints: PRINTS, marker })
  await printed(home, id, `last ${marker}`)
  // One is left where the screen has followed so far.
  const more = () => ask(home, 'terminal.send', { terminal: id, text: 'more', enter: true })
  await until(async () => hasAnchor(home, id) || ((await more()) && hasAnchor(home, id)), { what: 'an anchor beside its log' })
  await checkpoint(home)
  await sleep(home, id)
  await ask(home, 'terminal.wake', { terminal: id })
  await printed(home, id, `last ${marker}`)
  mkdirSync(join(home.path, 'files', id), { recursive: true })
  writeFileSync(join(home.path, 'files', id, `dropped-${marker}.txt`), marker)
  await checkpoint(home)
  await sleep(home, id)
  plant(home, { id, marker })
  await checkpoint(home)
  await until(() => tracesOf(home, marker).includes('search.db words, its words'), { what: 'its lines to be indexed' })
}

/** What only crashes, damage and rare decisions leave. */
function plant(home: Home, { id, marker }: { readonly id: string; readonly marker: string }): void {
  for (const file of ['daemon.log', 'daemon.log.1', 'holders.log'])
    appendFileSync(join(home.path, 'logs', file), `{"time":"${new Date().toISOString()}","terminal":"${id}","why":"${marker}"}\n`)
  writeFileSync(join(home.path, `undecodable-${id}-1.json`), marker)
  change(home, "INSERT INTO audit (at, terminal, what, details) VALUES (1, ?, 'test', ?)", id, JSON.stringify({ marker }))
  change(home, "INSERT INTO audit (at, what, details) VALUES (2, 'test', ?)", JSON.stringify({ about: id, marker }))
  change(home, 'INSERT INTO settings VALUES (?, ?)', `record.unreadable.${id}`, marker)
}

const runsOf = (home: Home, id: string): string[] =>
  readdirSync(join(home.path, 'runs')).filter((run) => readFileSync(join(home.path, 'runs', run, 'holder.json'), 'utf8').includes(id))

const hasAnchor = (home: Home, id: string): boolean =>
  runsOf(home, id).some((each) => readdirSync(join(home.path, 'runs', each)).some((name) => name.endsWith('.anchor')))

/** The WAL is emptied, and the page of a file in which a text lies is nobody's promise. */
const lasting = (places: readonly string[]): string[] => places.filter((place) => !/^(holdfast|search)\.db(-wal)?$|next\.json$/.test(place))

const FORMED = [
  ...['holdfast.db terminals.record', 'holdfast.db checkpoint_terminals.record', 'holdfast.db checkpoint_terminals.cwd'],
  ...['holdfast.db blobs.bytes', 'holdfast.db audit.details', 'holdfast.db settings.value'],
  ...['search.db blocks.body', 'search.db words, its words', 'checkpoints/latest.json', 'checkpoints/previous.json'],
  ...['logs/daemon.log', 'logs/daemon.log.1', 'logs/holders.log', 'undecodable-t…-1.json', 'runs/r…/holder.json'],
]

/** Where a daemon may die while it forgets, in this order. */
const POINTS = [
  ...['erase:noted', 'erase:closed', 'store:forget begun', 'store:forget mirror changed', 'erase:rows-gone', 'erase:index-clean'],
  ...['erase:files-gone', 'erase:log-clean', 'store:compact begun', 'store:compact vacuumed', 'store:compact written', 'erase:compacted'],
]

describe('a terminal that has left its traces everywhere', () => {
  let made: Home
  let root: string
  beforeAll(async () => {
    root = mkdtempSync(join(process.env['HOLDFAST_TEST_ROOT'] ?? '', 'cwd-'))
    made = makeHomeWithOwnPort()
    writeFileSync(join(made.path, 'config.toml'), 'log_bytes = 262144\n[web]\nport = 0\n')
    await start(made)
    await makeMarked(made, NEIGHBOUR, root)
    await makeMarked(made, VICTIM, root)
    // Another one that was closed goes back to a layout with it.
    await ask(made, 'terminal.close', { terminal: await make(made, { name: 'closed', prints: 'read x', marker: '' }) })
    await run(made, ['daemon', 'stop', '--all'])
  })
  afterAll(async () => {
    await made.dispose()
    rmSync(root, { recursive: true, force: true })
  })

  async function remade(trip?: string): Promise<Home> {
    const home = copyHome(made)
    // A damaged database that was set aside holds whatever was there.
    cpSync(join(home.path, 'holdfast.db'), join(home.path, 'holdfast.db.corrupt-2026-01-01'))
    await start(home, trip)
    return home
  }

  function expectForgotten(home: Home, ids: readonly string[], neighbours: readonly string[]): void {
    expect(tracesOf(home, VICTIM.marker, ...ids)).toEqual([])
    expect(lasting(tracesOf(home, NEIGHBOUR.marker))).toEqual(expect.arrayContaining([...neighbours]))
  }

  test('is forgotten in every table, blob, index, file and log line, and its neighbour in none', async () => {
    await using home = await remade()
    const id = await idOf(home, VICTIM)
    const ids = [id, ...runsOf(home, id)]
    const neighbours = lasting(tracesOf(home, NEIGHBOUR.marker)).filter((place) => !place.includes('corrupt'))
    const before = tracesOf(home, VICTIM.marker)
    expect(before).toEqual(expect.arrayContaining(FORMED))
    expect(before.some((place) => place.includes('.log'))).toBe(true)
    expect(before.some((place) => place.endsWith('.anchor, unpacked'))).toBe(true)
    expect(before.some((place) => place.startsWith('name of files/'))).toBe(true)
    expect(before.some((place) => place.startsWith('holdfast.db.corrupt'))).toBe(true)
    expect(tracesOf(home, id)).toEqual(
      expect.arrayContaining(['holdfast.db checkpoints.topology', 'holdfast.db sessions.topology', 'holdfast.db terminals.closed']),
    )
    const showed = query(home, 'SELECT id FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint WHERE terminal = ?', id).map(
      (row) => String(row['id']),
    )
    expect(showed.length).toBeGreaterThan(2)
    const planned = await ask(home, 'forget.plan', { what: { kind: 'terminals', terminals: [id] } })
    expect(planned).toMatchObject({ terminals: [{ id, state: 'asleep' }], runs: 2, files: 1, copies: 1 })

    expect(await json(home, ['forget', '--yes', id])).toMatchObject({ terminals: [{ id }], trouble: null })
    expectForgotten(home, ids, neighbours)
    // Checkpoints are sound without it, and none of them brings it back.
    const checkpoints = await ask(home, 'checkpoint.list', {})
    expect(checkpoints.length).toBeGreaterThan(3)
    for (const { id: each } of checkpoints) await ask(home, 'checkpoint.show', { checkpoint: each })
    for (const { id: each, terminalCount } of checkpoints.slice(-3))
      expect(
        query(home, 'SELECT count(*) AS n FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint WHERE id = ?', each),
      ).toEqual([{ n: terminalCount }])
    for (const each of showed) await ask(home, 'restore.apply', { checkpoint: each })
    await expect(ask(home, 'terminal.reopen', { terminal: id })).rejects.toThrow('No terminal')
    expect((await run(home, ['forget', '--yes', id])).stderr).toContain(`cannot forget "${id}": there is no such terminal`)
    await run(home, ['daemon', 'restart'])
    expectForgotten(home, ids, neighbours)
    expect((await list(home)).map(({ name }) => name)).toEqual([`neighbour${NEIGHBOUR.marker}`])
  })

  test('is forgotten in the end by daemons that die at every step of it, and nothing else is lost or doubled', async () => {
    await using home = await remade(POINTS[0])
    const id = await idOf(home, VICTIM)
    const ids = [id, ...runsOf(home, id)]
    const neighbours = lasting(tracesOf(home, NEIGHBOUR.marker)).filter((place) => !place.includes('corrupt'))
    const checkpoints = query(home, 'SELECT id FROM checkpoints WHERE known_good = 1')
    await expect(ask(home, 'forget.apply', { what: { kind: 'terminals', terminals: [id] } })).rejects.toThrow()
    // Each is killed one step further than the one before it: it has found the order, and gone on with it.
    for (const point of POINTS.slice(1)) {
      await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
      expect([point, query(home, "SELECT count(*) AS n FROM settings WHERE key = 'forgetting'")]).toEqual([point, [{ n: 1 }]])
      expect([point, (await start(home, point)).code]).not.toEqual([point, 0])
    }
    await start(home)
    expectForgotten(home, ids, neighbours)
    expect((await list(home)).map(({ name }) => name)).toEqual([`neighbour${NEIGHBOUR.marker}`])
    expect(query(home, "SELECT * FROM settings WHERE key = 'forgetting'")).toEqual([])
    expect(query(home, 'SELECT id FROM checkpoints WHERE known_good = 1')).toEqual(expect.arrayContaining(checkpoints))
    for (const each of checkpoints) await ask(home, 'checkpoint.show', { checkpoint: String(each['id']) })
    expect((await status(home)).troubles).toEqual([])
  })
})

const MARKERS = {
  ...{ runs: 'xrw8k2qzjv5m', old: 'yod3h7wqkx9p', used: 'zus6n1vjqw4t', expired: 'qex9c5zkwj2b', undoable: 'jun4g8xqzv7f' },
} as const

describe('what is forgotten', () => {
  let home: Home
  beforeAll(async () => {
    home = makeHomeWithOwnPort()
    await start(home)
    for (const name of Object.keys(MARKERS) as (keyof typeof MARKERS)[]) {
      await make(home, { name, prints: 'echo "$1"; read -r x', marker: MARKERS[name] })
      await printed(home, name, MARKERS[name])
      if (name !== 'runs') await sleep(home, name)
    }
    await checkpoint(home)
  })
  afterAll(() => home.dispose())
  const tracesOfNamed = (name: keyof typeof MARKERS): string[] => tracesOf(home, MARKERS[name])

  test('is never what runs, unless it is forced; and nobody is asked where nobody is', async () => {
    expect(await run(home, ['forget', '--yes', 'runs'])).toMatchObject({
      code: 1,
      stderr: 'holdfast: cannot forget "runs": it is running.\n  Close it first, or use --force to end its program.\n',
    })
    expect(await run(home, ['forget', 'old'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes to forget') })
    for (const wrong of [[], ['--closed', 'old'], ['--before', '1d', '--closed'], ['--before', 'soon'], ['--before', '2999-01-01']])
      expect((await run(home, ['forget', '--yes', ...wrong])).code).toBe(2)
    expect((await run(home, ['forget', '--dry-run', 'old'])).stdout).toContain('This would forget 1 terminal:\n  old: asleep')
    expect(tracesOfNamed('old')).not.toEqual([])
  })

  test('with --closed is every terminal that was closed, whether it can be reopened or not', async () => {
    await ask(home, 'terminal.close', { terminal: 'expired' })
    await run(home, ['daemon', 'stop'])
    change(home, "UPDATE terminals SET closed = json_set(closed, '$.until', 0) WHERE closed IS NOT NULL")
    await start(home)
    await ask(home, 'terminal.close', { terminal: 'undoable' })
    expect(tracesOfNamed('expired')).toContain('holdfast.db checkpoint_terminals.record') // by design, until the checkpoint goes
    const planned = await json<ForgetPlanView>(home, ['forget', '--closed', '--dry-run'])
    expect(planned.terminals.map(({ name, state }) => [name, state]).sort()).toEqual([
      ['expired', 'gone'],
      ['undoable', 'closed'],
    ])
    expect((await run(home, ['forget', '--closed', '--yes'])).stdout).toContain('Forgot 2 terminals')
    expect(tracesOf(home, MARKERS.expired, MARKERS.undoable)).toEqual([])
    expect((await run(home, ['reopen'])).code).toBe(1)
    expect(tracesOfNamed('old')).toContain('holdfast.db checkpoint_terminals.record')
  })

  test('with --before is what has not been used since, with checkpoints, earlier runs, audit and log of then', async () => {
    const id = (await list(home)).find(({ name }) => name === 'used')?.id ?? ''
    const earlier = runsOf(home, id)
    const then = new Date()
    await ask(home, 'terminal.wake', { terminal: 'used' })
    await printed(home, 'used', MARKERS.used)
    await checkpoint(home)
    const checkpointsOf = (): Promise<CheckpointSummaryView[]> => ask(home, 'checkpoint.list', {})
    const kept = (await checkpointsOf()).filter(({ at }) => at >= then.getTime()).map((each) => each.id)
    const result = await json<ForgetPlanView>(home, ['forget', '--before', then.toISOString(), '--yes'])
    expect(result.terminals.map(({ name }) => name)).toEqual(['old'])
    expect((await list(home)).map(({ name }) => name)).toEqual(['runs', 'used'])
    expect(tracesOfNamed('old')).toEqual([])
    expect(runsOf(home, id)).not.toEqual(expect.arrayContaining(earlier))
    expect(tracesOf(home, ...earlier).filter((place) => /\.log$|blobs|search|snapshots|audit/.test(place))).toEqual([])
    expect(tracesOfNamed('used')).toEqual(expect.arrayContaining(['holdfast.db terminals.record', 'runs/r…/N.log']))
    const left = await checkpointsOf()
    expect(left.map((each) => each.id)).toEqual(expect.arrayContaining(kept))
    expect(left.filter(({ at }) => at < then.getTime())).toEqual([])
    expect(query(home, 'SELECT count(*) AS n FROM audit WHERE at < CAST(? AS REAL)', String(then.getTime()))).toEqual([{ n: 0 }])
    const times = readFileSync(join(home.path, 'logs/daemon.log'), 'utf8').matchAll(/"time":"([^"]+)"/g)
    expect([...times].filter(([, time = '']) => Date.parse(time) < then.getTime())).toEqual([])
  })

  test('with --force is what runs, too: its program is ended, by the next daemon if this one dies', async () => {
    await run(home, ['daemon', 'stop'])
    await start(home, 'erase:noted')
    expect((await run(home, ['forget', '--yes', '--force', 'runs'])).code).toBe(1)
    await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
    await start(home)
    expect((await list(home)).map(({ name }) => name)).toEqual(['used'])
    await until(() => programsOf(home).length === 1, { what: 'its program to be gone' })
    await until(async () => tracesOfNamed('runs').length === 0, { what: 'its holder to be gone' })
  })
})

describe('the question before forgetting, at a real terminal', () => {
  let home: Home
  beforeAll(async () => {
    home = makeHomeWithOwnPort()
    await run(home, ['new', '--name', 'asked', '--', 'sh', '-c', 'echo words; exec cat'])
    await run(home, ['sleep', '--force', 'asked'])
  })
  afterAll(() => home.dispose())

  const answered = async (typed: string) => {
    await using person = openPty(HOLDFAST, { args: ['forget', 'asked'], env: environment(home), cwd: home.path })
    await person.waitFor(/This cannot be undone\. Forget\? \[y\/N\]/)
    person.type(typed)
    const { code, signal } = await person.ended
    return { code, signal, text: person.text(), left: (await list(home)).length }
  }

  test.each([
    ['no', 'n\r'],
    ['nothing', '\r'],
    ['another word', 'yesterday\r'],
    ['Ctrl+C', '\x03'],
    ['the end of the input', '\x04'],
  ])('%s forgets nothing, and ends with a code that is not 0', async (_, typed) => {
    const { code, signal, text, left } = await answered(typed)
    expect([code !== 0 || signal !== 0, left]).toEqual([true, 1])
    expect(text).not.toMatch(/Forgot|Forgetting;/)
  })

  test('yes forgets', async () => {
    expect(await answered('yes\r')).toMatchObject({ code: 0, left: 0, text: expect.stringContaining('Forgetting;') })
  })
})

test('what a full disk has kept from being forgotten is said, and the next start forgets it', { timeout: 120_000 }, async ({ skip }) => {
  await using home = makeHomeWithOwnPort()
  const state = join(home.path, 'state')
  mkdirSync(state, { mode: 0o700 })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', state], { stdio: 'pipe' })
  } catch (error) {
    skip(`mounting is not permitted here: ${String((error as { stderr?: Buffer }).stderr ?? error)}`)
  }
  const small = { path: state }
  try {
    cpSync(join(home.path, 'config.toml'), join(state, 'config.toml'))
    const { marker } = VICTIM
    await run(small, ['new', '--name', 'victim', '--', 'sh', '-c', `${FILL}; echo last ${marker}; exec cat`])
    await run(small, ['wait', 'victim', '--text', `last ${marker}`, '--timeout', '20'])
    await run(small, ['sleep', '--force', 'victim'])
    await run(small, ['checkpoint', 'create'])
    expect(tracesOf(small, marker)).not.toEqual([])
    // Room for the order to forget, and not for the databases to be rewritten.
    const ballast = join(state, 'ballast')
    fillBut(ballast, 40 << 10)
    const forgotten = await run(small, ['forget', 'victim', '--yes'])
    expect([forgotten.code, forgotten.stderr]).toEqual([1, expect.stringMatching(/Not everything is forgotten yet: .*(full|space|disk)/)])
    expect((await run(small, ['daemon', 'status'])).stdout).toContain('not everything is forgotten yet')
    rmSync(ballast)
    await run(small, ['daemon', 'restart'])
    expect((await run(small, ['daemon', 'status'])).stdout).not.toContain('not everything is forgotten yet')
    expect(tracesOf(small, marker)).toEqual([])
  } finally {
    await run(small, ['daemon', 'stop', '--all'])
    await until(() => execFileSync('umount', [state], { stdio: 'pipe' }) !== null, { what: `${state} to be free` })
  }
})

/** Writes until so much is left. */
function fillBut(file: string, leftBytes: number): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4 << 10), { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  truncateSync(file, Math.max(0, statSync(file).size - leftBytes))
}
