import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckpointSummaryView } from '../../src/wire/checkpointView.ts'
import type { ForgetPlanView } from '../../src/wire/commands/forget.ts'
import { killDaemon, list } from '../support/daemon.ts'
import { json, run } from '../support/holdfast.ts'
import { copyHome, type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { change, query } from '../support/restoring.ts'
import { tracesOf } from '../support/traces.ts'

/** Forgetting is proved by asking every store, not by what it says: test/support/traces.ts finds the tables and files by itself. */

/** Letters and digits only, so that it is one word to the index. */
type Marked = { readonly name: string; readonly marker: string }
const VICTIM: Marked = { name: 'victim', marker: 'vqzxkwjm7f3b9e1d5c0a82' }
const NEIGHBOUR: Marked = { name: 'neighbour', marker: 'nwyjqpzk4a8c2e6b0d7f19' }

const start = (home: Home, trip?: string) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
const checkpoint = async (home: Home): Promise<void> => expect((await run(home, ['checkpoint', 'create'])).code).toBe(0)
const idOf = async (home: Home, { name }: Marked): Promise<string> =>
  (await list(home)).find((terminal) => terminal.name?.startsWith(name))?.id ?? expect.fail(`${name} is not there`)

/** Prints it into its title, its screen, its history and far above that. */
const PRINTS = [
  'printf "\\033]0;%s\\007" "$1"; echo "first $1"; seq 1 6000; echo "history $1"; seq 1 100',
  'echo "last $1"; while read -r x; do :; done',
].join('; ')

/** In its name, directory, arguments, variables, title, screens, history, anchors, index, checkpoints, and a file dropped onto it. */
async function makeMarked(home: Home, { name, marker }: Marked, root: string): Promise<void> {
  const cwd = join(root, marker)
  mkdirSync(cwd)
  const given = ['--cwd', cwd, '--env', `EDITOR=${marker}`, '--env', `KIND=${marker}`]
  const made = await json<{ id: string }>(home, ['new', '--name', `${name}${marker}`, ...given, '--', 'sh', '-c', PRINTS, 'sh', marker])
  const printed = async (): Promise<void> =>
    expect((await run(home, ['wait', made.id, '--text', `last ${marker}`, '--timeout', '20'])).code).toBe(0)
  await printed()
  await until(async () => (await run(home, ['search', `history ${marker}`])).code === 0, { what: 'its lines to be indexed' })
  await checkpoint(home)
  await run(home, ['sleep', '--force', made.id])
  await run(home, ['wake', made.id])
  await printed()
  mkdirSync(join(home.path, 'files', made.id), { recursive: true })
  writeFileSync(join(home.path, 'files', made.id, `dropped-${marker}.txt`), marker)
  await checkpoint(home)
  await run(home, ['sleep', '--force', made.id])
  plant(home, { id: made.id, marker })
  await checkpoint(home)
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

/** The WAL is emptied, and the page of a file in which a text lies is nobody's promise. */
const lasting = (places: readonly string[]): string[] => places.filter((place) => !/^(holdfast|search)\.db(-wal)?$/.test(place))

const FORMED = [
  ...['holdfast.db terminals.record', 'holdfast.db checkpoint_terminals.record', 'holdfast.db checkpoint_terminals.cwd'],
  ...['holdfast.db blobs.bytes', 'holdfast.db audit.details', 'holdfast.db settings.value'],
  ...['search.db blocks.body', 'search.db words, its words', 'checkpoints/latest.json', 'checkpoints/previous.json'],
  ...['logs/daemon.log', 'logs/daemon.log.1', 'logs/holders.log', 'undecodable-t…-1.json', 'runs/r…/holder.json'],
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
    await run(made, ['new', '--name', 'closed', '--', 'sh', '-c', 'read x'])
    await run(made, ['close', '--yes', 'closed'])
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

  async function expectForgotten(home: Home, ids: readonly string[], neighbours: readonly string[]): Promise<void> {
    expect(await tracesOf(home, VICTIM.marker, ...ids)).toEqual([])
    expect(lasting(await tracesOf(home, NEIGHBOUR.marker))).toEqual(expect.arrayContaining([...neighbours]))
    expect((await list(home)).map(({ name }) => name)).toEqual([`neighbour${NEIGHBOUR.marker}`])
  }

  test('is forgotten in every table, blob, index, file and log line, and its neighbour in none', async () => {
    await using home = await remade()
    const id = await idOf(home, VICTIM)
    const ids = [id, ...runsOf(home, id)]
    const neighbours = lasting(await tracesOf(home, NEIGHBOUR.marker)).filter((place) => !place.includes('corrupt'))
    const before = await tracesOf(home, VICTIM.marker)
    expect(before).toEqual(expect.arrayContaining(FORMED))
    expect(before.some((place) => place.includes('.log'))).toBe(true)
    expect(before.some((place) => place.endsWith('.anchor, unpacked'))).toBe(true)
    expect(before.some((place) => place.startsWith('name of files/'))).toBe(true)
    expect(before.some((place) => place.startsWith('holdfast.db.corrupt'))).toBe(true)
    expect(await tracesOf(home, id)).toEqual(
      expect.arrayContaining(['holdfast.db checkpoints.topology', 'holdfast.db sessions.topology', 'holdfast.db terminals.closed']),
    )
    const planned = await json<ForgetPlanView>(home, ['forget', '--dry-run', id])
    expect(planned).toMatchObject({ terminals: [{ id, state: 'asleep' }], runs: 2, files: 1, copies: 1 })
    expect(await tracesOf(home, VICTIM.marker)).toEqual(before)

    expect(await json(home, ['forget', '--yes', id])).toMatchObject({ terminals: [{ id }], trouble: null })
    await expectForgotten(home, ids, neighbours)
    // Checkpoints are sound without it, and none of them brings it back.
    const checkpoints = await json<CheckpointSummaryView[]>(home, ['checkpoint', 'ls'])
    expect(checkpoints.length).toBeGreaterThan(3)
    for (const { id: each } of checkpoints) expect((await run(home, ['checkpoint', 'show', each])).code).toBe(0)
    for (const { id: each, terminalCount } of checkpoints.slice(-3))
      expect(
        query(home, 'SELECT count(*) AS n FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint WHERE id = ?', each),
      ).toEqual([{ n: terminalCount }])
    expect((await run(home, ['restore', '--yes', 'latest~1'])).code).toBe(0)
    expect((await run(home, ['reopen', id])).code).toBe(1)
    expect((await run(home, ['forget', '--yes', id])).stderr).toContain(`cannot forget "${id}": no terminal of this name or id is known`)
    await run(home, ['daemon', 'stop'])
    await start(home)
    await expectForgotten(home, ids, neighbours)
  })
})
