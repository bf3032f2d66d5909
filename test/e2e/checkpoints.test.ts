import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { checkpoints, makeCheckpointHome, shown, untilCheckpoint, untilShown } from '../support/checkpoints.ts'
import { daemonsOf, holdersOf, list, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import type { Home } from '../support/home.ts'
import { until } from '../support/milestone.ts'

const READS = ['--', 'sh', '-c', 'echo hello; while read line; do echo "got $line"; done']
const open = async (home: Home, name: string, ...more: readonly string[]) => {
  const made = await run(home, ['new', '--name', name, ...more])
  expect(made).toMatchObject({ code: 0 })
}
const kinds = async (home: Home) => (await checkpoints(home)).map(({ kind }) => kind)

describe('a checkpoint is taken', () => {
  test('at the start, after each change of the structure, when asked for, and at the end', async () => {
    await using home = makeCheckpointHome()
    await run(home, ['daemon', 'start'])
    await untilCheckpoint(home, 'the one of the start', ({ kind }) => kind === 'startup')
    await open(home, 'api', ...READS)
    const first = await untilCheckpoint(
      home,
      'the one of a new terminal',
      ({ kind, terminalCount }) => kind === 'event' && terminalCount === 1,
    )
    await run(home, ['rename', 'api', 'web'])
    const second = await untilShown(
      home,
      'the one of another name',
      ({ kind, terminals }) => kind === 'event' && terminals[0]?.name === 'web',
    )
    expect(second.terminals).toMatchObject([{ name: 'web', state: 'live' }])
    expect((await shown(home, first.id)).terminals).toMatchObject([{ name: 'api' }])
    await run(home, ['send', 'web', '--keys', 'C-d'])
    await until(async () => (await shown(home, 'latest')).terminals[0]?.state === 'asleep', { what: 'the one of its end' })
    await run(home, ['checkpoint', 'create'])
    await run(home, ['close', '--yes', 'web'])
    await untilCheckpoint(
      home,
      'the one of a closed terminal',
      ({ kind, terminalCount, knownGood }) => kind === 'event' && terminalCount === 0 && !knownGood,
    )
    await run(home, ['daemon', 'stop'])
    await run(home, ['daemon', 'start'])
    await until(async () => (await kinds(home)).filter((kind) => kind === 'startup').length === 2, { what: 'the second start' })
    expect(new Set(await kinds(home))).toEqual(new Set(['startup', 'event', 'manual', 'shutdown']))
  })

  test('once in a while when only a screen has changed, and shows it', async () => {
    await using home = makeCheckpointHome({ interval_s: 1 })
    await open(home, 'api', ...READS)
    const first = await untilCheckpoint(home, 'the first with a terminal', ({ terminalCount }) => terminalCount === 1)
    await run(home, ['send', 'api', 'a new line', '--enter'])
    await until(async () => (await run(home, ['checkpoint', 'show', 'latest', '--screen', 'api'])).stdout.includes('got a new line'), {
      what: 'a checkpoint with the new line',
    })
    const [newest] = await checkpoints(home)
    expect(newest).toMatchObject({ kind: 'periodic', knownGood: true })
    expect((await run(home, ['checkpoint', 'show', first.id, '--screen', 'api'])).stdout).not.toContain('got a new line')
  })

  test('when a program says that it is elsewhere, and knows where that is', async () => {
    await using home = makeCheckpointHome()
    await open(home, 'api', '--', 'sh', '-c', 'read line; cd /usr; printf "\\033]7;file:///usr\\007"; exec sleep 300')
    const first = await untilShown(home, 'the first of the live terminal', ({ terminals }) => terminals[0]?.state === 'live')
    expect(first.terminals[0]?.cwd).not.toBe('/usr')
    await run(home, ['send', 'api', '--enter'])
    await untilShown(home, 'the one of the move', ({ kind, terminals }) => kind === 'event' && terminals[0]?.cwd === '/usr')
  })
})

test('titles that spin are no change of the structure', async () => {
  await using home = makeCheckpointHome({ interval_s: 1 })
  const SPINS = 'read line; i=0; while :; do i=$((i+1)); printf "\\033]0;spin $i\\007"; sleep 0.05; done'
  await open(home, 'api', '--', 'sh', '-c', SPINS)
  await untilShown(home, 'the first of the live terminal', ({ terminals }) => terminals[0]?.state === 'live')
  const before = new Set((await checkpoints(home)).map(({ id }) => id))
  await run(home, ['send', 'api', '--enter'])
  const since = async () => (await checkpoints(home)).filter(({ id }) => !before.has(id))
  await until(async () => (await since()).length >= 2, { what: 'two that come by the clock' })
  expect(new Set((await since()).map(({ kind }) => kind))).toEqual(new Set(['periodic']))
})

/** Every file of the home with all that a write would change. */
function traces(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeNs, ctimeNs, ino } = statSync(join(directory, name), { bigint: true })
      return `${name} ${size} ${mtimeNs} ${ctimeNs} ${ino}`
    })
}

const bytesWritten = (home: Home): string =>
  [...daemonsOf(home), ...holdersOf(home)]
    .map(({ pid }) => `${pid} ${/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]}`)
    .join()

describe.runIf(process.platform === 'linux')('while nothing happens', () => {
  test('nothing is written, however often it is looked', async () => {
    await using home = makeCheckpointHome({ interval_s: 1, debounce_ms: 10 })
    await open(home, 'one', ...READS)
    await open(home, 'two', '--', 'sleep', '300')
    await until(
      async () => {
        const count = (await checkpoints(home)).length
        return (await checkpoints(home))[0]?.kind === 'periodic' || count > 2
      },
      { what: 'the checkpoints of the beginning' },
    )
    const IDLE_MS = 4_000 // four times each interval
    // The first calm stretch counts: the last line of the beginning may still be on its way to the disk.
    const [before, after] = await until(
      async () => {
        const was = { files: traces(home.path), bytes: bytesWritten(home) }
        const end = performance.now() + IDLE_MS
        await until(() => performance.now() >= end, { what: 'the idle time to pass' })
        const is = { files: traces(home.path), bytes: bytesWritten(home) }
        return JSON.stringify(was) === JSON.stringify(is) && ([was, is] as const)
      },
      { what: 'four seconds without a write', timeoutMs: 20_000 },
    )
    expect(after).toEqual(before)
    // It is not because nobody looks any more.
    const known = new Set((await checkpoints(home)).map(({ id }) => id))
    await run(home, ['send', 'one', 'hello', '--enter'])
    await untilCheckpoint(home, 'one of the new line', ({ id, kind }) => kind === 'periodic' && !known.has(id))
  })
})

test('no more are kept than the configuration says, and never an empty one for a good one', async () => {
  await using home = makeCheckpointHome({ count: 3 })
  await open(home, 'api', ...READS)
  for (let number = 1; number <= 6; number++) await run(home, ['checkpoint', 'create', '--note', `number ${number}`])
  const manual = (await checkpoints(home)).filter(({ kind }) => kind === 'manual')
  expect(manual.map(({ note }) => note)).toEqual(['number 6', 'number 5', 'number 4'])
  await run(home, ['close', '--yes', 'api'])
  for (let number = 0; number < 8; number++) await run(home, ['checkpoint', 'create'])
  const left = await checkpoints(home)
  expect(left.filter(({ knownGood }) => knownGood).map(({ note }) => note)).toEqual(
    expect.arrayContaining(['number 6', 'number 5', 'number 4']),
  )
  const empty = left.filter(({ knownGood }) => !knownGood)
  expect(empty.filter(({ kind }) => kind === 'manual')).toHaveLength(3)
  expect(empty.filter(({ kind }) => kind !== 'manual').length).toBeLessThanOrEqual(3)
})

const SECRET = 'ghp_9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO'
const SET = 'correct-horse-battery-staple-9'

test('secrets of an environment are in no file, and those that were set for a terminal only in its record', async () => {
  await using home = makeCheckpointHome()
  const env = { EDITOR: `edit --with ${SECRET}`, ANTHROPIC_API_KEY: SECRET, LANG: 'C.UTF-8' }
  await run(home, ['daemon', 'start'])
  const made = await run(home, ['new', '--name', 'api', '--env', `DB_PASSWORD=${SET}`, ...READS], { env })
  expect(made.code).toBe(0)
  await run(home, ['checkpoint', 'create'])
  const [terminal] = (await shown(home, 'latest')).terminals
  if (process.platform === 'linux')
    expect(terminal?.env).toMatchObject({ EDITOR: 'edit --with [redacted]', ANTHROPIC_API_KEY: '[redacted]', LANG: 'C.UTF-8' })
  expect(terminal?.setEnv).toEqual({ DB_PASSWORD: '[redacted]' })
  await run(home, ['daemon', 'stop'])
  const files = readdirSync(home.path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(home.path, name)).isFile())
  const holding = (text: string) => files.filter((name) => readFileSync(join(home.path, name), 'latin1').includes(text))
  expect(holding(SECRET)).toEqual([])
  expect(holding('while read line')).toContain('holdfast.db') // what is kept would be found
  for (const file of holding(SET)) expect(file).toMatch(/^holdfast\.db|^checkpoints\//)
  const database = new DatabaseSync(join(home.path, 'holdfast.db'), { readOnly: true })
  const rows = database.prepare('SELECT record, env, agent, cwd, command FROM checkpoint_terminals').all()
  database.close()
  expect(rows.length).toBeGreaterThan(0)
  for (const { record, ...others } of rows as Record<string, unknown>[]) {
    expect(JSON.parse(String(record))).toMatchObject({ spec: { env: { DB_PASSWORD: SET } } })
    expect(JSON.stringify(others)).not.toContain(SET)
  }
  await run(home, ['daemon', 'start']) // to end the program
})

test.each(['checkpoint:screens-kept', 'checkpoint:kept', 'checkpoint:pruned'])(
  'a daemon that dies at %s costs no checkpoint and no terminal',
  async (point) => {
    await using home = makeCheckpointHome()
    await open(home, 'api', ...READS)
    await run(home, ['checkpoint', 'create', '--note', 'before'])
    await run(home, ['daemon', 'stop'])
    await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: point } })
    await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die there' })
    await run(home, ['daemon', 'start'])
    expect(await list(home)).toMatchObject([{ name: 'api', state: 'live' }])
    expect((await status(home)).troubles).toEqual([])
    const all = await checkpoints(home)
    expect(all.map(({ note }) => note)).toContain('before')
    for (const { id } of all) expect((await shown(home, id)).id).toBe(id) // sealed, and whole
    expect((await run(home, ['checkpoint', 'show', 'latest', '--screen', 'api'])).stdout).toContain('hello')
  },
)

test('a workspace of which a record could not be read makes no good checkpoints', async () => {
  await using home = makeCheckpointHome()
  await open(home, 'one', ...READS)
  await open(home, 'two', ...READS)
  await untilCheckpoint(home, 'a good one', ({ terminalCount, knownGood }) => terminalCount === 2 && knownGood)
  const damage = async (more: string, copies: 'with copies' | 'no copies'): Promise<void> => {
    await run(home, ['daemon', 'stop'])
    if (copies === 'no copies') rmSync(join(home.path, 'checkpoints'), { recursive: true })
    const database = new DatabaseSync(join(home.path, 'holdfast.db'))
    database.exec(`UPDATE terminals SET record = '{' WHERE id = (SELECT min(id) FROM terminals); ${more}`)
    database.close()
    await run(home, ['daemon', 'start'])
  }
  await damage('', 'with copies')
  const filledIn = await run(home, ['checkpoint', 'create'])
  expect(filledIn.stderr, 'an earlier checkpoint knew the record').not.toContain('not whole')
  expect((await checkpoints(home))[0]).toMatchObject({ kind: 'manual', knownGood: true, terminalCount: 2 })
  await damage('DELETE FROM checkpoints', 'no copies')
  const created = await run(home, ['checkpoint', 'create'])
  expect(created.stderr).toContain('not whole')
  expect((await checkpoints(home))[0]).toMatchObject({ kind: 'manual', knownGood: false, terminalCount: 2 })
})

test('a copy that cannot be written is told as a trouble, until it can', async () => {
  await using home = makeCheckpointHome()
  await open(home, 'api', ...READS)
  await untilCheckpoint(home, 'a good one', ({ knownGood }) => knownGood)
  const copies = join(home.path, 'checkpoints')
  await run(home, ['daemon', 'stop']) // it may be writing a copy
  rmSync(copies, { recursive: true })
  writeFileSync(copies, 'in the way')
  await run(home, ['daemon', 'start'])
  await run(home, ['checkpoint', 'create'])
  expect((await status(home)).troubles.join()).toContain('beside the database could not be written')
  rmSync(copies)
  await run(home, ['checkpoint', 'create'])
  expect((await status(home)).troubles).toEqual([])
})
