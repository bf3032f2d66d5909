/** The plug is pulled: daemon and holder go at once, in the middle of everything, and their programs with them. */
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createScreen, type Screen } from '../../src/screen/screen.ts'
import { connectTo, daemonsOf, holdersOf, killDaemon, killDaemonAndHolders, type Listed, list, status } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcess, isRunning } from '../support/processes.ts'
import { type RawSegment, rawEnd, rawLog, sizeOf } from '../support/rawLog.ts'

const ROUNDS = 2
/** So little that a program can print several logs in a second: what cannot be kept is skipped. */
const SMALL_LOG = 'log_bytes = 1_048_576'
/** What the holder's constants promise (a flood is written once a second, and synced a second after), and a busy machine's share. */
const FLUSHED_WITHIN_MS = 1_100
const SYNCED_WITHIN_MS = 1_000
const BUSY_MS = 1_500

const seed = Number(process.env['POWERCUT_SEED'] ?? Date.now() % 1_000_000)
let state = seed
/** From 0 up to 1; the same for the same seed. */
function random(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return state / 0x80000000
}

type View = Listed & { readonly run: string; readonly size: { cols: number; rows: number } }
type Program = { readonly name: string; readonly account: string; readonly view: View; readonly directory: string }

function configure(home: Home, config: string): void {
  writeFileSync(join(home.path, 'config.toml'), `${config}\n[web]\nport = 0\n`)
}

async function startProgram(home: Home, name: string, args: readonly string[]): Promise<Program> {
  const account = join(home.path, `${name}.account`)
  const command = `stty -opost -echo; exec "$0" "$@"`
  const fixture = [process.execPath, fixtureProgram('records-itself.mjs'), '--record', account, ...args]
  const made = await run(home, ['new', '--name', name, '--', 'sh', '-c', command, ...fixture])
  expect(made.stderr).toBe('')
  const view = (await list(home)).find((each) => each.name === name) as View
  await until(() => existsSync(`${account}.times`), { what: `${name} to write` })
  return { name, account, view, directory: join(home.path, 'runs', view.run) }
}

/** Pulls the plug; returns when, in ms. */
async function pullThePlug(home: Home, programs: readonly Program[]): Promise<number> {
  const victims = [...daemonsOf(home), ...holdersOf(home)]
  const at = Date.now()
  for (const victim of victims) endProcess(victim)
  await until(() => daemonsOf(home).length + holdersOf(home).length === 0, { what: 'daemon and holders to be gone' })
  await until(() => programs.every(({ view }) => !isRunning(view.pid)), { what: 'the programs to be gone' })
  return at
}

/** How many bytes the program knew it had written at a time. */
function writtenAt({ account }: Program, time: number): number {
  const entries = readFileSync(`${account}.times`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
  return entries.findLast(([, at = 0]) => at <= time)?.[0] ?? 0
}

/** The log's files with how long they are, and how much of that the disk has been made to keep. */
const segmentFiles = ({ directory }: Program): { path: string; length: number; synced: number }[] =>
  rawLog(directory).map(({ name }) => {
    const path = join(directory, name)
    return { path, length: statSync(path).size, synced: existsSync(`${path}.synced`) ? Number(readFileSync(`${path}.synced`, 'utf8')) : 0 }
  })

/** Each record is one the program's own account has at its seq, they follow each other, and the last of them is good. */
function expectTrueLog(program: Program): RawSegment[] {
  const bytes = readFileSync(`${program.account}.bytes`)
  const segments = rawLog(program.directory)
  expect(segments.slice(0, -1).map(({ rest }) => rest)).toEqual(segments.slice(0, -1).map(() => 0))
  let position = segments[0]?.records[0]?.seq ?? 0
  for (const { kind, seq, payload } of segments.flatMap(({ records }) => records)) {
    if (kind !== 'skip') expect(seq).toBe(position)
    position = seq
    if (kind !== 'output') continue
    expect(bytes.subarray(seq, seq + payload.length).equals(payload), `the output at ${seq} (seed ${seed})`).toBe(true)
    position += payload.length
  }
  return segments
}

/** What the program's own account shows at `seq`, read in one go from where the log begins, with the sizes of the log. */
async function screenAt(program: Program, segments: readonly RawSegment[], seq: number): Promise<Screen> {
  const bytes = readFileSync(`${program.account}.bytes`)
  const records = segments.flatMap((segment) => segment.records)
  const begin = records[0]?.seq ?? 0
  const screen = createScreen({ ...(records[0] === undefined ? program.view.size : sizeOf(records[0])), scrollback: 2_000 })
  screen.setAnswering(false)
  // A log that has turned over begins somewhere in a line.
  let at = begin === 0 ? 0 : bytes.indexOf('\n', begin) + 1
  for (const record of records.filter(({ kind }) => kind === 'resize')) {
    if (record.seq > seq) break
    if (record.seq > at) await screen.feed(bytes.subarray(at, record.seq))
    at = Math.max(at, record.seq)
    await screen.resize(sizeOf(record))
  }
  await screen.feed(bytes.subarray(at, seq))
  return screen
}

/** Two pictures are long; where they begin to differ is enough. */
function firstDifference(shown: string, expected: string): string | null {
  const [left, right] = [shown.split('\n'), expected.split('\n')]
  const at = Array.from({ length: Math.max(left.length, right.length) }).findIndex((_, index) => left[index] !== right[index])
  return at < 0
    ? null
    : `line ${at} of ${left.length} and ${right.length}: ${JSON.stringify(left[at])} instead of ${JSON.stringify(right[at])}`
}

const stateOf = (screen: Screen) => ({
  cursor: screen.cursor,
  modes: screen.modes,
  size: screen.size,
})

/** What the page would paint, on a screen of its own. */
async function paintOf(home: Home, program: Program): Promise<{ seq: number; screen: Screen }> {
  const client = await connectTo(home)
  try {
    const opened = await client.request('terminal.open', { terminal: program.name, window: 1 << 20 })
    if (!opened.ok) throw new Error(opened.refusal.message)
    const { seq, size } = opened.value.result
    const screen = createScreen({ ...size, scrollback: 2_000 })
    screen.setAnswering(false)
    await screen.feed(opened.value.blob ?? new Uint8Array(0))
    return { seq, screen }
  } finally {
    client.close()
  }
}

async function expectExactScreen(home: Home, program: Program, segments: readonly RawSegment[]): Promise<number> {
  const { seq, screen } = await paintOf(home, program)
  const expected = await screenAt(program, segments, seq)
  const painted = `${program.name} as painted at ${seq}, seed ${seed}`
  expect(firstDifference(screen.ansi({ history: 300 }), expected.ansi({ history: 300 })), painted).toBeNull()
  expect(stateOf(screen), painted).toEqual(stateOf(expected))
  const { stdout } = await run(home, ['read', program.name, '--format', 'ansi'])
  expect(firstDifference(stdout.trimEnd(), expected.ansi().trimEnd()), `${program.name} as read, seed ${seed}`).toBeNull()
  expect(expected.text().trim()).not.toBe('')
  expected.dispose()
  screen.dispose()
  return seq
}

async function resize(home: Home, { name }: Program, size: { cols: number; rows: number }): Promise<void> {
  const client = await connectTo(home)
  await client.request('terminal.resize', { terminal: name, size })
  client.close()
}

/** Both programs at work, sizes that change, and a random moment. */
async function atWork(home: Home, round: number): Promise<Program[]> {
  const flood = await startProgram(home, `flood${round}`, ['--as', 'lines', '--every', '4'])
  const screens = await startProgram(home, `screens${round}`, ['--as', 'screens', '--every', '50'])
  await delay(200 + random() * 600)
  await resize(home, screens, { cols: 70 + round, rows: 22 })
  await delay(200 + random() * 1_500)
  return [flood, screens]
}

async function expectLost(home: Home, programs: readonly Program[]): Promise<void> {
  const now = await until(
    async () => {
      const seen = await list(home)
      return seen.every(({ state: each }) => each === 'asleep') && seen
    },
    { what: 'all to be asleep' },
  )
  for (const { view } of programs)
    expect(now.find(({ id }) => id === view.id)).toMatchObject({ state: 'asleep', because: { kind: 'lost' }, pid: null })
  expect((await status(home)).troubles).toEqual([])
}

test('daemon and holders killed in the middle of a flood: the log ends at a good record, at most a flush is missing, the screen is exact', {
  timeout: 120_000,
}, async () => {
  console.info(`seed ${seed}`)
  await using home = makeHome()
  configure(home, `${SMALL_LOG}\nsnapshot_interval_s = 1`)
  for (let round = 0; round < ROUNDS; round++) {
    const programs = await atWork(home, round)
    const at = await pullThePlug(home, programs)
    const logs = programs.map(expectTrueLog)
    await run(home, ['daemon', 'start'])
    await expectLost(home, programs)
    for (const [index, program] of programs.entries()) {
      const segments = logs[index] ?? []
      expect(rawEnd(segments), `seed ${seed}`).toBeGreaterThanOrEqual(writtenAt(program, at - FLUSHED_WITHIN_MS - BUSY_MS))
      expect(await expectExactScreen(home, program, segments)).toBeGreaterThanOrEqual(rawEnd(segments) - 512)
      await run(home, ['close', '--yes', program.name])
    }
  }
})

test('a power cut that loses what was never synced: the log and the screen end where the disk had promised them', {
  timeout: 60_000,
}, async () => {
  await using home = makeHome()
  // No screen is kept, neither in its turn nor for a checkpoint: only the log knows.
  configure(home, 'snapshot_interval_s = 3600\n[checkpoints]\ndebounce_ms = 60000\ninterval_s = 3600')
  await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: 'holder:note-synced' } })
  const programs = await atWork(home, 0)
  await until(
    () => programs.every(({ directory }) => rawLog(directory).some(({ name }) => existsSync(join(directory, `${name}.synced`)))),
    {
      what: 'a first sync',
    },
  )
  await delay(random() * 1_000)
  await until(() => programs.every((program) => segmentFiles(program).some(({ length, synced }) => length > synced)), {
    what: 'a moment at which not everything is synced',
  })
  const at = await pullThePlug(home, programs)
  for (const { path, synced } of programs.flatMap(segmentFiles)) {
    truncateSync(path, synced)
    rmSync(`${path}.synced`, { force: true })
  }
  const logs = programs.map(expectTrueLog)
  await run(home, ['daemon', 'start'])
  await expectLost(home, programs)
  for (const [index, program] of programs.entries()) {
    const segments = logs[index] ?? []
    expect(rawEnd(segments), `seed ${seed}`).toBeGreaterThanOrEqual(writtenAt(program, at - FLUSHED_WITHIN_MS - SYNCED_WITHIN_MS - BUSY_MS))
    expect(segments.at(-1)?.rest).toBe(0)
    const seq = await expectExactScreen(home, program, segments)
    expect(seq).toBeLessThanOrEqual(rawEnd(segments))
    expect(seq).toBeGreaterThanOrEqual(rawEnd(segments) - 512)
  }
})

test('the whole history is the same text before and after a crash of the daemon, and after a cold boot', async () => {
  await using home = makeHome()
  configure(home, 'log_bytes = 262_144\nscrollback_lines = 500')
  const colours = 'i=0; while [ $i -lt 9000 ]; do i=$((i+1)); printf "\\033[3%dm%d\\033[m of many lines, äöü €\\n" $((i%8)) $i; done'
  await run(home, ['new', '--name', 'quiet', '--', 'sh', '-c', `${colours}; echo the end; exec sleep 300`])
  await run(home, ['wait', 'quiet', '--text', 'the end', '--timeout', '30'])
  const [{ run: runId } = { run: '' }] = (await list(home)) as View[]
  const client = await connectTo(home)
  await client.request('terminal.resize', { terminal: 'quiet', size: { cols: 50, rows: 15 } })
  client.close()
  const lastKind = () =>
    rawLog(join(home.path, 'runs', runId))
      .flatMap(({ records }) => records)
      .at(-1)?.kind
  await until(() => lastKind() === 'resize', { what: 'everything to be on disk' })
  const history = async (format: string): Promise<string> => {
    const { code, stdout, stderr } = await run(home, ['read', 'quiet', '--history', 'all', '--format', format])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const before = { text: await history('text'), ansi: await history('ansi') }
  expect(before.text.trimEnd().split('\n').at(-1)).toBe('the end')
  expect(before.text.split('\n').length).toBeGreaterThan(2_000)
  const expectSame = async (): Promise<void> => {
    expect(firstDifference(await history('text'), before.text)).toBeNull()
    expect(firstDifference(await history('ansi'), before.ansi)).toBeNull()
  }
  killDaemon(home)
  await expectSame()
  await killDaemonAndHolders(home)
  await expectSame()
  expect((await list(home))[0]).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
})
