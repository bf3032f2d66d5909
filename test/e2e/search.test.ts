import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { connectTo, daemonsOf, killDaemon, list, status } from '../support/daemon.ts'
import { fixtureProgram, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcesses } from '../support/processes.ts'

/**
 * Whatever a terminal has printed is found by its words: while it runs, after its end, after everything was killed, and after
 * the index was lost.
 */
type Hit = {
  readonly terminal: string
  readonly name: string
  readonly state: string
  readonly number: number
  readonly at: number
  readonly line: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly isPast: boolean
}
type Found = { readonly hits: readonly Hit[]; readonly more: boolean; readonly pending: readonly object[] }

async function search(home: Home, ...args: string[]): Promise<Found & { readonly code: number | null }> {
  const { code, stdout, stderr } = await run(home, ['search', '--json', ...args])
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as Found) }
}

/** All lines are indexed, and none is found twice. Asked without the command line in between, which takes its time to start. */
async function searchAll(home: Home, ...words: string[]): Promise<readonly Hit[]> {
  const client = await connectTo(home)
  try {
    const { hits, terminals } = await until(
      async () => {
        const answer = await client.request('search.query', { query: words.join(' '), limit: 1_000, context: 2 })
        if (!answer.ok) throw new Error(answer.refusal.message)
        return answer.value.result.pending.length === 0 && answer.value.result
      },
      { what: 'everything to be indexed', timeoutMs: 30_000 },
    )
    const keys = hits.map(({ run: id, number }) => `${id} ${number}`)
    expect(new Set(keys).size).toBe(keys.length)
    return hits.map((hit) => {
      const terminal = terminals.find(({ id }) => id === hit.terminal)
      return { ...hit, number: (hit.number ?? -1) + 1, name: terminal?.name ?? '', state: terminal?.state ?? '' }
    })
  } finally {
    client.close()
  }
}

async function runsIndexed(home: Home): Promise<number> {
  const database = (await loadSqlite()).open(`${home.path}/search.db`, { readOnly: true })
  try {
    return Number(database.get('SELECT COUNT(DISTINCT run) AS count FROM blocks')?.['count'])
  } finally {
    database.close()
  }
}

const start = async (home: Home, trip?: string): Promise<void> =>
  expect((await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })).code).toBe(0)

const numbered = (word: string, count: number, then: string): string[] => [
  'sh',
  '-c',
  `seq 1 ${count} | sed 's/^/${word} number-/'; ${then}`,
]

async function make(home: Home, name: string, word: string, { count = 300, then = 'exec sleep 300' } = {}): Promise<void> {
  const made = await run(home, ['new', '--name', name, '--size', '80x24', '--', ...numbered(word, count, then)])
  expect(made.stderr).toBe('')
}

const texts = (hits: readonly Hit[]): string[] => hits.map(({ name, line }) => `${name}: ${line}`)

async function expectFruit(home: Home): Promise<void> {
  expect(texts(await searchAll(home, 'number-7'))).toHaveLength(3)
  expect(texts(await searchAll(home, 'apple', 'number-2'))).toEqual(['live: apple number-2'])
  expect(texts(await searchAll(home, 'apple', '300'))).toEqual(['live: apple number-300'])
  expect(texts(await searchAll(home, 'banana', 'number-2'))).toEqual(['ended: banana number-2'])
  expect(texts(await searchAll(home, 'banana', '300'))).toEqual(['ended: banana number-300'])
  expect(texts(await searchAll(home, 'cherry', '300'))).toEqual(['lost: cherry number-300'])
  const [hit] = await searchAll(home, '"banana number 150"')
  expect(hit).toMatchObject({
    number: 150,
    before: ['banana number-148', 'banana number-149'],
    after: ['banana number-151', 'banana number-152'],
  })
  // What was found can be opened.
  expect((await run(home, ['read', 'ended', '--lines', `${hit?.number}-${hit?.number}`])).stdout).toBe('banana number-150\n')
}

async function makeFruit(home: Home): Promise<void> {
  await start(home)
  await make(home, 'live', 'apple')
  await make(home, 'ended', 'banana', { then: 'exit 3' })
  await make(home, 'lost', 'cherry')
  await until(async () => (await search(home, 'cherry', '300')).hits.length === 1, { what: 'cherries' })
  const lost = (await list(home)).find(({ name }) => name === 'lost')
  process.kill(lost?.holderPid ?? 0, 'SIGKILL')
  await until(async () => (await list(home)).find(({ name }) => name === 'lost')?.state === 'asleep', { what: 'the terminal to be lost' })
}

describe('what was printed', () => {
  test('is found in live, ended and lost terminals, after the daemon was killed, and after everything was', async () => {
    await using home = makeHomeWithOwnPort()
    await makeFruit(home)
    await expectFruit(home)
    killDaemon(home)
    await start(home)
    await expectFruit(home)
    await endProcesses(home.path)
    await start(home)
    await expectFruit(home)
    expect((await list(home)).map(({ state }) => state)).toEqual(['asleep', 'asleep', 'asleep'])
  })

  test.each([
    ['is deleted', (file: string) => rmSync(file), null],
    [
      'is damaged',
      (file: string) => writeFileSync(file, Buffer.alloc(readFileSync(file).length, 'x')),
      /search\.db could not be used: .*made anew/,
    ],
  ])('is found again when the index %s', async (_, damage, said) => {
    await using home = makeHomeWithOwnPort()
    await makeFruit(home)
    await expectFruit(home)
    killDaemon(home)
    damage(`${home.path}/search.db`)
    for (const companion of ['-wal', '-shm']) rmSync(`${home.path}/search.db${companion}`, { force: true })
    await start(home)
    await expectFruit(home)
    const { troubles } = await status(home)
    if (said === null) expect(troubles).toEqual([])
    else expect(troubles).toEqual([expect.stringMatching(said)])
  })

  test('is found again when the index is deleted while the daemon runs', async () => {
    await using home = makeHomeWithOwnPort()
    await makeFruit(home)
    await expectFruit(home)
    rmSync(`${home.path}/search.db`)
    await run(home, ['search', 'apple']) // notices
    await expectFruit(home)
    expect(existsSync(`${home.path}/search.db`)).toBe(true)
  })

  test.each(['index:page-read', 'search:begun', 'search:applied', 'search:committed'])(
    'is found once each after a daemon died at %s',
    async (point) => {
      await using home = makeHomeWithOwnPort()
      await start(home, point)
      await run(home, ['new', '--name', 'fruit', '--size', '80x24', '--', ...numbered('apple', 5_000, 'exec sleep 300')])
      await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
      await start(home)
      expect((await searchAll(home, 'apple number-1*')).length).toBe(1_000)
      expect(texts(await searchAll(home, 'apple', 'number-2345'))).toEqual(['fruit: apple number-2345'])
    },
  )

  test('is found on the screen of a program that uses all of it', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await run(home, [
      'new',
      '--name',
      'full',
      '--',
      'sh',
      '-c',
      String.raw`printf '\033[?1049h\033[2Ja full screen of plums'; exec sleep 300`,
    ])
    const [hit] = await until(
      async () => {
        const { hits } = await search(home, 'plums')
        return hits.length > 0 && hits
      },
      { what: 'plums' },
    )
    expect(hit).toMatchObject({ name: 'full', number: null, line: 'a full screen of plums' })
  })

  test('is gone from the index with its terminal', async () => {
    await using home = makeHomeWithOwnPort()
    await makeFruit(home)
    await expectFruit(home)
    await run(home, ['close', '--yes', 'ended', 'live'])
    expect((await search(home, 'banana')).hits).toEqual([])
    expect((await search(home, 'apple')).hits).toEqual([])
    await until(async () => (await runsIndexed(home)) === 1, { what: 'the lines to be gone from the file' })
    expect(texts(await searchAll(home, 'cherry', '300'))).toEqual(['lost: cherry number-300'])
    killDaemon(home)
    await start(home)
    expect((await search(home, 'banana')).hits).toEqual([])
  })

  test('by the run before is still found when the terminal was woken', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await make(home, 'ended', 'banana', { count: 40, then: 'exit 0' })
    await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'its end' })
    expect(await searchAll(home, 'banana number-5')).toHaveLength(1)
    await run(home, ['wake', 'ended'])
    await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'its second end' })
    const hits = await until(
      async () => {
        const all = await searchAll(home, 'banana number-5')
        return all.length === 2 && all
      },
      { what: 'both runs' },
    )
    expect(hits.map(({ isPast }) => isPast)).toEqual([false, true])
  })
})

describe('a flood', () => {
  test('of 50 MB ends up in the index as far as the log holds it, within the bytes that are allowed', async () => {
    await using home = makeHomeWithOwnPort()
    const maxBytes = 6 << 20
    writeFileSync(`${home.path}/config.toml`, `log_bytes = ${2 << 20}\n[web]\nport = 0\n[search]\nmax_bytes = ${maxBytes}\n`)
    await start(home)
    const flood = `'${process.execPath}' '${fixtureProgram('prints-numbers.mjs')}' --every 0 --prefix 'some words of a flood, quite a few of them, number ' --from 1 --count 850000`
    await run(home, ['new', '--name', 'flood', '--', 'sh', '-c', `${flood}; echo the flood is over; exec sleep 300`])
    expect((await run(home, ['wait', 'flood', '--text', 'flood is over', '--timeout', '60'], { timeoutMs: 70_000 })).code).toBe(0)
    expect(texts(await searchAll(home, '"flood is over"'))).toEqual(['flood: the flood is over'])
    expect((await search(home, '"number 7"')).hits).toEqual([])
    const { first } = await json<{ first: number }>(home, ['read', 'flood', '--lines', '1-1'])
    const [early] = (await json<{ lines: { text: string }[] }>(home, ['read', 'flood', '--lines', `${first + 20}-${first + 20}`])).lines
    expect(first).toBeGreaterThan(1_000)
    expect(texts(await searchAll(home, `"${early?.text}"`))).toEqual([`flood: ${early?.text}`])
    const bytes = readdirSync(home.path)
      .filter((name) => name.startsWith('search.db') && !name.endsWith('-shm'))
      .reduce((sum, name) => sum + statSync(`${home.path}/${name}`).size, 0)
    expect(bytes).toBeLessThan(maxBytes + (4 << 20)) // and the WAL
  }, 120_000)
})

describe('the command line', () => {
  test('says when, where and what, and how to read on', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await run(home, ['new', '--name', 'api', '--', 'sh', '-c', 'echo one; echo "GET /v1/Größe_list 500"; echo three; exec sleep 300'])
    const id = (await list(home))[0]?.id
    const found = await until(
      async () => {
        const ran = await run(home, ['search', 'v1/grÖße', '500', '--context', '1'])
        return ran.code === 0 && ran
      },
      { what: 'the line' },
    )
    expect(found.stderr).toBe('')
    expect(found.stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME')).toBe(
      [`${id}  api  live`, `  TIME  holdfast read ${id} --lines 1-3`, '  1   one', '  2 > GET /v1/Größe_list 500', '  3   three', ''].join(
        '\n',
      ),
    )
    const before = Date.now()
    const { hits, more, pending } = await search(home, 'get', '--context', '0')
    expect({ more, pending }).toEqual({ more: false, pending: [] })
    expect(hits).toEqual([
      {
        ...{ terminal: id, name: 'api', state: 'live', run: expect.stringMatching(/^r/), isPast: false, number: 2 },
        ...{ at: expect.any(Number), line: 'GET /v1/Größe_list 500', spans: [{ from: 0, to: 3 }], before: [], after: [] },
      },
    ])
    expect(before - (hits[0]?.at ?? 0)).toBeLessThan(60_000)
  })

  test('finds by time and by terminal, and no more than asked for', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await make(home, 'one', 'apple', { count: 5 })
    await make(home, 'two', 'apple', { count: 5, then: 'exit 0' })
    await until(async () => (await searchAll(home, 'apple')).length === 10, { what: 'ten apples' })
    expect((await search(home, 'apple', '--terminal', 'two', '--since', '1h')).hits).toHaveLength(5)
    expect((await search(home, 'apple', '--since', '2099-01-01')).hits).toEqual([])
    expect((await search(home, 'apple', '--until', '2020-01-01')).hits).toEqual([])
    expect(await search(home, 'apple', '--limit', '3')).toMatchObject({ hits: [{}, {}, {}], more: true })
    expect(await search(home, 'apple', '--limit', '10')).toMatchObject({ more: false })
  })

  test('refuses in words', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await make(home, 'one', 'apple', { count: 5 })
    const refusal = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(home, ['search', ...args])
      expect(stdout).toBe('')
      return { code, said: stderr.split('\n')[0] }
    }
    expect(await refusal('pear')).toEqual({ code: 1, said: 'holdfast: no matches for pear' })
    expect(await refusal('apple', '--terminal', 'nobody')).toEqual({ code: 1, said: 'holdfast: There is no terminal "nobody".' })
    expect(await refusal('apple', '--since', 'soon')).toEqual({ code: 2, said: 'holdfast: "soon" is not a time.' })
    expect(await refusal('***')).toEqual({ code: 2, said: 'holdfast: "***" has no words to search for.' })
    expect(await refusal('apple', '--limit', '0')).toMatchObject({ code: 2 })
    expect(await refusal('apple', '--context', '-1')).toMatchObject({ code: 2 })
  })

  test('says that searching is switched off, and then the index is gone', async () => {
    await using home = makeHomeWithOwnPort()
    await start(home)
    await make(home, 'one', 'apple', { count: 5 })
    await until(async () => (await searchAll(home, 'apple')).length === 5, { what: 'apples' })
    writeFileSync(`${home.path}/config.toml`, '[web]\nport = 0\n[search]\nenabled = false\n')
    const off = await until(
      async () => {
        const ran = await run(home, ['search', 'apple'])
        return ran.code === 1 && ran
      },
      { what: 'the new setting' },
    )
    expect(off.stderr).toContain('Search is disabled.')
    await until(() => !readdirSync(home.path).some((name) => name.startsWith('search.db')), { what: 'the index to be gone' })
    await run(home, ['daemon', 'restart'])
    expect((await run(home, ['search', 'apple'])).stderr).toContain('Search is disabled.')
    expect(existsSync(`${home.path}/search.db`)).toBe(false)
  })
})
