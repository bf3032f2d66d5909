/**
 * Any one file of the state directory is deleted, emptied, cut in half, overwritten in its middle or replaced by noise:
 * the daemon starts, says in a sentence what it misses, and everything that is not in that file is as it was.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo, killDaemonAndHolders, list, status } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { copyHome, type Home, makeHomeWithOwnPort } from '../support/home.ts'

/** `faults`: what a read says about lost output. */
type Seen = {
  readonly faults: readonly string[]
  readonly id: string
  readonly name: string | null
  readonly state: string
  readonly text: string
  readonly runs: readonly string[]
}

const DAMAGES = {
  deleted: (file: string) => rmSync(file),
  emptied: (file: string) => truncateSync(file, 0),
  'cut in half': (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'overwritten in its middle': (file: string) => {
    const bytes = readFileSync(file)
    bytes.fill(0xa5, Math.floor(bytes.length / 3), Math.ceil((bytes.length * 2) / 3))
    writeFileSync(file, bytes)
  },
  'replaced by noise': (file: string) => {
    const bytes = readFileSync(file)
    writeFileSync(
      file,
      Uint8Array.from({ length: Math.max(64, bytes.length) }, (_, at) => (at * 2_654_435_761) >>> 24),
    )
  },
} as const

let whole: Home
let before: readonly Seen[]

beforeAll(async () => {
  whole = makeHomeWithOwnPort()
  before = await furnish(whole)
})
afterAll(() => whole.sweep())

/** Terminals of every sort, some with two runs, then the plug is pulled: the newest writes are still in the database's own log. */
async function furnish(home: Home): Promise<readonly Seen[]> {
  await run(home, ['new', '--name', 'ended', '--', fixtureProgram('prints-and-exits.sh'), '3000'])
  await run(home, ['new', '--name', 'long', '--', 'sh', '-c', 'seq 1 20000; echo the long one; exec sleep 600'])
  await run(home, ['new', '--name', 'short', '--', 'sh', '-c', 'echo the short one; exec sleep 600'])
  await run(home, ['wait', 'ended', '--exit', '--timeout', '20'])
  await run(home, ['wake', 'ended'])
  await run(home, ['wait', 'ended', '--exit', '--timeout', '20'])
  for (const [name, text] of [
    ['long', 'the long one'],
    ['short', 'the short one'],
  ] as const)
    await run(home, ['wait', name, '--text', text, '--timeout', '20'])
  await run(home, ['daemon', 'stop'])
  await run(home, ['daemon', 'start'])
  await run(home, ['rename', 'short', 'renamed'])
  await run(home, ['checkpoint', 'create']) // as a second of calm would have done
  await killDaemonAndHolders(home)
  const seen = await copyOf(home, async (copy) => seenIn(copy))
  expect(seen.map(({ name, state }) => `${name} ${state}`)).toEqual(['ended asleep', 'long asleep', 'renamed asleep'])
  return seen
}

/** Runs `use` on a copy of a home whose processes are gone, and removes the copy with all its processes. */
async function copyOf<Value>(home: Home, use: (copy: Home) => Promise<Value>): Promise<Value> {
  const copy = copyHome(home)
  try {
    return await use(copy)
  } finally {
    await copy.sweep()
  }
}

async function seenIn(home: Home): Promise<readonly Seen[]> {
  const views = await list(home)
  const client = await connectTo(home)
  try {
    return await Promise.all(
      views.map(async ({ id, name, state }) => {
        const read = await client.request('terminal.read', { terminal: id, history: 'all', format: 'text' })
        const seen = { id, name, state, runs: runsOf(home, id) }
        if (!read.ok) return { ...seen, text: '', faults: [read.refusal.message] }
        return { ...seen, text: read.value.result.content, faults: read.value.result.faults }
      }),
    )
  } finally {
    client.close()
  }
}

const runsOf = (home: Home, id: string): readonly string[] =>
  readdirSync(join(home.path, 'runs')).filter((name) => {
    const card = join(home.path, 'runs', name, 'holder.json')
    return existsSync(card) && readFileSync(card, 'utf8').includes(id)
  })

function filesBelow(path: string, within = ''): readonly string[] {
  return readdirSync(join(path, within), { withFileTypes: true }).flatMap((entry) => {
    const name = join(within, entry.name)
    if (entry.isDirectory()) return filesBelow(path, name)
    return entry.isFile() ? [name] : []
  })
}

describe.each(Object.keys(DAMAGES) as (keyof typeof DAMAGES)[])('%s', (damage) => {
  test('any one file costs at most what is in it, and a sentence', { timeout: 180_000 }, async () => {
    const problems: string[] = []
    const files = filesBelow(whole.path).filter((file) => isWorthwhile(file, damage) && (damage === 'deleted' || !isTwin(file)))
    for (const file of files) problems.push(...(await problemsAfter(file, damage)).map((why) => `${file}: ${why}`))
    expect(problems).toEqual([])
  })
})

/** The short program has the same files as the long one: to lose each of them once is enough. */
const isTwin = (file: string): boolean =>
  before.some(({ name, runs }) => name === 'renamed' && runs.some((run) => file.startsWith(join('runs', run))))

/** Text files are small: to lose them and to have them spoilt is all that can happen. That there was a run before, only one file says. */
const isWorthwhile = (file: string, damage: keyof typeof DAMAGES): boolean =>
  (damage === 'deleted' && !file.endsWith('/before.json')) ||
  damage === 'overwritten in its middle' ||
  /\.db(-wal)?$|^runs\/.*\.log$/.test(file)

function problemsAfter(file: string, damage: keyof typeof DAMAGES): Promise<readonly string[]> {
  return copyOf(whole, async (copy) => {
    DAMAGES[damage](join(copy.path, file))
    const started = await run(copy, ['daemon', 'start'])
    if (started.code !== 0) return [`it does not start: ${started.stderr}`]
    const after = await seenIn(copy)
    const { troubles } = await status(copy)
    const isSaid = troubles.length > 0 || after.some(({ faults }) => faults.length > 0)
    return [...differences(file, after), ...(isLoss(after) && !isSaid ? ['something is lost, and nothing is said'] : [])]
  })
}

function differences(file: string, after: readonly Seen[]): readonly string[] {
  if (after.map(({ id }) => id).join() !== before.map(({ id }) => id).join())
    return [`${after.length} terminals instead of ${before.length}: ${after.map(({ name }) => name).join()}`]
  return before.flatMap((was, index) => {
    const is = after[index] as Seen
    const isInFile = was.runs.some((run) => file.startsWith(join('runs', run)))
    return [
      ...(is.name === was.name ? [] : [`${was.name} is called ${is.name}`]),
      ...(is.state === was.state ? [] : [`${was.name} is ${is.state}`]),
      ...(is.text === was.text || isInFile ? [] : [`${was.name} shows ${is.text.length} characters instead of ${was.text.length}`]),
    ]
  })
}

const isLoss = (after: readonly Seen[]): boolean =>
  before.some(({ id, text, name }) => !after.some((is) => is.id === id && is.text === text && is.name === name))
