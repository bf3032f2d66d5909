/** Logs that something has happened to: read to the last good record, never replayed wrong, never fatal, and said. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { connectTo, killDaemon, killDaemonAndHolders, type Listed, list, status } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { rawEnd, rawLog } from '../support/rawLog.ts'

const COUNT = 30_000

type Damage = {
  readonly name: string
  /** What `daemon status` and `read` say about it; null where there is nothing to say. */
  readonly said: RegExp | null
  /** Whether the last number can still be read from the log. */
  readonly keepsEnd: boolean
  do(files: { readonly older: string; readonly newer: string; readonly foreign: string }): void
}

const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
}
const middleOf = (file: string): number => readFileSync(file).length >> 1

const DAMAGES: readonly Damage[] = [
  { name: 'whole', said: null, keepsEnd: true, do: () => undefined },
  { name: 'torn', said: null, keepsEnd: false, do: ({ newer }) => truncateSync(newer, readFileSync(newer).length - 7) },
  { name: 'zeros', said: null, keepsEnd: true, do: ({ newer }) => appendFileSync(newer, Buffer.alloc(4_096)) },
  { name: 'flipped', said: /checksum is wrong|not a record/, keepsEnd: true, do: ({ older }) => flip(older, middleOf(older)) },
  { name: 'garbled', said: /not a record/, keepsEnd: true, do: ({ newer }) => appendFileSync(newer, 'x'.repeat(300)) },
  { name: 'noolder', said: null, keepsEnd: true, do: ({ older }) => rmSync(older) },
  { name: 'nonewer', said: null, keepsEnd: false, do: ({ newer }) => rmSync(newer) },
  { name: 'foreign', said: /another run/, keepsEnd: false, do: ({ newer, foreign }) => cpSync(foreign, newer) },
  {
    name: 'folder',
    said: /not a file/,
    keepsEnd: true,
    do: ({ older }) => {
      rmSync(older)
      mkdirSync(older)
    },
  },
]

type View = Listed & { readonly run: string }

function fillUp(state: string): void {
  const { bavail, bsize } = statfsSync(state)
  try {
    writeFileSync(join(state, 'ballast'), Buffer.alloc(bavail * bsize))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error // the daemon has written meanwhile: it is full all the same
  }
}

/** Starts one program per name and waits until all they print is on disk. */
async function printNumbers(home: Home, names: readonly string[]): Promise<Map<string, View>> {
  for (const name of names) {
    const args = ['--every', '0', '--count', String(COUNT), '--prefix', name, '--stay']
    const { code } = await run(home, ['new', '--name', name, '--', process.execPath, fixtureProgram('prints-numbers.mjs'), ...args])
    expect(code).toBe(0)
  }
  const views = new Map((await list(home)).map((view) => [view.name ?? '', view as View]))
  for (const [name, view] of views) {
    const length = Array.from({ length: COUNT }, (_, i) => `${name}${i + 1}\r\n`.length).reduce((sum, each) => sum + each, 0)
    await until(() => rawEnd(rawLog(join(home.path, 'runs', view.run))) === length, { what: 'all of it to be on disk', timeoutMs: 20_000 })
  }
  return views
}

/** Where the numbers do not go on by one; every line is one of the program's own. What is left of a log may end anywhere in a line. */
function breaksIn(text: string, name: string): number {
  const lines = text.split('\n').filter((line) => line !== '')
  const numbers: number[] = []
  for (const [index, line] of lines.entries()) {
    const next = `${name}${(numbers.at(-1) ?? 0) + 1}`
    if (line !== next && next.startsWith(line) && lines[index + 1] !== next) continue
    const number = Number(line.slice(name.length))
    expect(line).toBe(`${name}${number}`)
    numbers.push(number)
  }
  return numbers.filter((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1).length
}

/** The last number that is shown as a whole line. */
const lastIn = (text: string, name: string): number =>
  Math.max(0, ...[...text.matchAll(new RegExp(`^${name}(\\d+)$`, 'gm'))].slice(-1).map(([, number]) => Number(number)))

/** How many of the program's lines end within its first `bytes`. */
function linesWithin(bytes: number, name: string): number {
  let lines = 0
  for (let end = `${name}1\r\n`.length; end <= bytes; end += `${name}${lines + 1}\r\n`.length) lines += 1
  return lines
}

test('whatever happened to the logs of nine terminals, each shows what is left of its own, and says what is not', async () => {
  await using home = makeHome()
  writeFileSync(join(home.path, 'config.toml'), 'log_bytes = 262_144\n[web]\nport = 0\n')
  const views = await printNumbers(
    home,
    DAMAGES.map(({ name }) => name),
  )
  await killDaemonAndHolders(home)
  const filesOf = (name: string): string[] => {
    const directory = join(home.path, 'runs', views.get(name)?.run ?? '')
    return rawLog(directory).map((segment) => join(directory, segment.name))
  }
  const [foreign = ''] = filesOf('whole')
  /** How many anchors lie in the older segment. */
  const anchorsBefore = new Map<string, number>()
  /** The last whole line in what is left of the log. */
  const lastLeft = new Map<string, number>()
  /** Not where it is the segment's first record, which is as large as the machine was fast: the history begins behind it then. */
  let isFlippedBehindOutput = false
  for (const damage of DAMAGES) {
    const [older = '', newer = ''] = filesOf(damage.name)
    expect(filesOf(damage.name)).toHaveLength(2)
    const isBefore = (file: string): boolean => file.endsWith('.anchor') && file.slice(0, 15) < basename(newer).slice(0, 15)
    anchorsBefore.set(damage.name, readdirSync(dirname(newer)).filter(isBefore).length)
    damage.do({ older, newer, foreign })
    if (!damage.keepsEnd) {
      const end = damage.name === 'foreign' ? Number.parseInt(basename(newer), 10) : rawEnd(rawLog(dirname(newer)))
      lastLeft.set(damage.name, linesWithin(end, damage.name))
    }
    if (damage.name === 'flipped') {
      const [first] = rawLog(dirname(older))
      isFlippedBehindOutput = first?.records.some(({ kind }) => kind === 'output') ?? false
    }
  }
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await until(async () => (await list(home)).every(({ state, because }) => state === 'asleep' && because?.kind === 'lost'), {
    what: 'all to be asleep',
  })
  const client = await connectTo(home)
  const read = async (name: string, history: number | 'all'): Promise<{ content: string; faults: string[] }> => {
    const answer = await client.request('terminal.read', { terminal: name, history, format: 'text' })
    if (!answer.ok) throw new Error(`${name}: ${answer.refusal.message}`)
    return answer.value.result
  }
  for (const { name, said, keepsEnd } of DAMAGES) {
    const { content, faults } = await read(name, 'all')
    const breaks = breaksIn(content, name)
    if (keepsEnd) expect(content.trimEnd().endsWith(`${name}${COUNT}`), `the end of ${name}`).toBe(true)
    // A screen that was kept behind the end of what is left knows lines that the log has lost, behind a break: which, depends on when.
    const isMoreShown = lastIn(content, name) > (lastLeft.get(name) ?? 0)
    // Each anchor in the part that is damaged still knows some of its lines, before a break.
    const known = anchorsBefore.get(name) ?? 0
    const [least, most] =
      name === 'flipped'
        ? [isFlippedBehindOutput ? 1 : 0, known + 1]
        : name === 'folder'
          ? [0, known]
          : [0, !keepsEnd && isMoreShown ? 1 : 0]
    expect(breaks, name).toBeGreaterThanOrEqual(least)
    expect(breaks, name).toBeLessThanOrEqual(most)
    // A log that is shorter than what the screen knows has lost lines where there is a break, and says which bytes.
    if (said === null)
      expect(faults, name).toEqual(!keepsEnd && breaks > 0 ? [expect.stringMatching(/^the output from byte .* is missing$/)] : [])
    else expect(faults.join('\n')).toMatch(said)
    // The screen was kept before the log was damaged, or is rebuilt from what is left.
    expect(breaksIn((await read(name, 0)).content, name), `the screen of ${name}`).toBeLessThanOrEqual(1)
  }
  client.close()
  const told = await run(home, ['read', 'flipped', '--history', 'all'])
  expect(told.code).toBe(0)
  expect(told.stderr).toMatch(/^holdfast: part of its history is lost: \d{15}\.log: /)
  expect(told.stderr).toMatch(/the output from byte \d+ to \d+ is missing/)
  const { troubles } = await status(home)
  const doctor = (await run(home, ['doctor'])).stdout
  for (const { name, said } of DAMAGES) {
    const named = troubles.filter((trouble) => trouble.startsWith(`${views.get(name)?.id}: its log is damaged: `))
    if (said === null) expect(named, name).toEqual([])
    else expect(named.join('\n'), name).toMatch(said)
    for (const trouble of named) expect(doctor).toContain(trouble)
  }
}, 90_000)

const numbered = (count: number, name: (number: number) => string): string[] => Array.from({ length: count }, (_, i) => name(i + 1))
const WRITTEN = [
  ...numbered(3_000, (number) => `A${number}`),
  ...numbered(120_000, (number) => `B${number} and much more of the same, again and again`),
  ...numbered(3_000, (number) => `C${number}`),
]

type Bytes = { readonly from: number; readonly to: number }

/** The one piece that the log says it has lost: in one skip, or in several that follow each other, where a full disk was tried again. */
function lostOf(directory: string): Bytes {
  const skips = rawLog(directory).flatMap(({ records }) => records.filter(({ kind }) => kind === 'skip'))
  const pieces = skips.map(({ seq: to, payload }) => ({ to, from: (JSON.parse(payload.toString()) as { from: number }).from }))
  expect(pieces.slice(1).map(({ from }) => from)).toEqual(pieces.slice(0, -1).map(({ to }) => to))
  return { from: pieces[0]?.from ?? 0, to: pieces.at(-1)?.to ?? 0 }
}

/** Every line that was written is shown once and in order, but for those that lie in `lost`: a kept screen may know some of them. */
function expectAllBut(lost: Bytes, shown: readonly string[]): void {
  const left: string[] = []
  const gone = new Set<string>()
  let at = 0
  for (const line of WRITTEN) {
    const end = at + line.length + '\r\n'.length
    if (end <= lost.from || at > lost.to)
      left.push(line) // right behind it may be the rest of something
    else gone.add(line)
    at = end
  }
  expect(gone.size).toBeGreaterThan(1_000)
  expect(shown.filter((line) => line !== '' && !gone.has(line))).toEqual(left)
  const known = new Set(shown)
  expect(shown.filter((line) => line !== '')).toEqual(WRITTEN.filter((line) => known.has(line)))
}

/** Whether an anchor lies behind it, which tells the lines there their numbers. */
const isAnchoredBehind = (lost: Bytes, directory: string): boolean =>
  readdirSync(directory).some((name) => name.endsWith('.anchor') && Number(name.slice(0, 15)) >= lost.to)

// Who dies at once may have kept no screen since: then no line is lost or repeated either, but nobody knows how many were lost.
test.for(['once the lines behind it have their numbers', 'at once'])(
  'a disk that was full for a while costs a marked piece of the log, and neither the program nor the screen, also when everything dies %s',
  { timeout: 120_000 },
  async (when, { skip }) => {
    await using home = makeHome()
    const state = join(home.path, 'state')
    mkdirSync(state)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', state], { stdio: 'pipe' })
    } catch (error) {
      return skip(`mounting is not permitted here: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`)
    }
    const inside = { path: state }
    // Whoever else writes there, and makes room again, would make several losses of one.
    writeFileSync(join(state, 'config.toml'), '[web]\nport = 0\n[search]\nenabled = false\n[checkpoints]\ninterval_s = 3600\n')
    try {
      const script =
        "read go; seq -f 'A%.0f' 3000; read go; seq -f 'B%.0f and much more of the same, again and again' 120000; read go; seq -f 'C%.0f' 3000; exec sleep 300"
      await run(state, ['new', '--name', 'writer', '--', 'sh', '-c', `stty -echo; ${script}`])
      const next = async (last: string): Promise<void> => {
        await run(state, ['send', 'writer', '--enter'])
        expect((await run(state, ['wait', 'writer', '--text', `^${last}$`, '--timeout', '20'])).code).toBe(0)
      }
      await next('A3000')
      fillUp(state)
      await next('B120000 .*')
      const isDegraded = async () => (await status(inside)).troubles.some((trouble) => trouble.includes('its log is only in memory'))
      expect(await until(isDegraded, { what: 'the trouble to be told' })).toBe(true)
      expect((await run(state, ['read', 'writer'])).stdout).toContain('B120000 ')
      rmSync(join(state, 'ballast'))
      await until(async () => !(await isDegraded()), { what: 'the log to go on' })
      await next('C3000')
      const [view] = (await list(inside)) as View[]
      const directory = join(state, 'runs', view?.run ?? '')
      await until(() => rawLog(directory).some(({ records }) => records.some(({ payload }) => payload.includes('C3000'))), {
        what: 'the end to be on disk',
      })
      const lost = lostOf(directory)
      const readAll = async (): Promise<string[]> => {
        const { stdout, stderr } = await run(state, ['read', 'writer', '--history', 'all'])
        expect(stderr).toBe(`holdfast: part of its history is lost: the output from byte ${lost.from} to ${lost.to} is missing\n`)
        return stdout.split('\n').slice(0, -1)
      }
      let before: string[] | null = null
      if (when !== 'at once') {
        await until(() => isAnchoredBehind(lost, directory), { what: 'an anchor behind what is lost' })
        before = await readAll()
        // On a busy machine the screen may not have followed what the holder had to drop: then it has never counted these lines.
        expect(before.length).toBeLessThanOrEqual(WRITTEN.length)
        const dropped = WRITTEN.length - before.length
        for (const [index, line] of before.entries())
          if (line !== '' && line !== WRITTEN[index] && line !== WRITTEN[index + dropped])
            expect([index, line]).toEqual([index, WRITTEN[index]])
      }
      await killDaemonAndHolders(inside)
      await run(state, ['daemon', 'start'])
      const shown = await readAll()
      expectAllBut(lost, shown)
      if (before !== null) expect(shown).toEqual(before)
      expect((await run(state, ['read', 'writer'])).stdout.trim().split('\n').at(-1)).toBe('C3000')
    } finally {
      rmSync(join(state, 'ballast'), { force: true })
      await run(state, ['daemon', 'stop', '--all'])
      await until(() => execFileSync('umount', [state], { stdio: 'pipe' }) !== null, { what: 'the mount to be free' })
    }
  },
)

/** Prints nothing until the file is there; then the needle, and far more lines than a screen remembers. */
const NEEDLE = 'echo waiting; while [ ! -e "$GO" ]; do sleep 0.05; done; echo "needle 4711"; seq 5000'

test.each([
  ['goes on', `${NEEDLE}; echo all said; exec sleep 300`],
  ['has ended', `${NEEDLE}; echo all said`],
])(
  'a text that came and went while no daemon watched is found by who waited for it, when the program %s',
  async (_, script) => {
    await using home = makeHome()
    writeFileSync(join(home.path, 'config.toml'), 'scrollback_lines = 100\nlog_level = "debug"\n[web]\nport = 0\n')
    const go = join(home.path, 'go')
    await run(home, ['new', '--name', 'haystack', '--env', `GO=${go}`, '--', 'sh', '-c', script])
    await run(home, ['wait', 'haystack', '--text', 'waiting', '--timeout', '10'])
    const [view] = (await list(home)) as View[]
    const directory = join(home.path, 'runs', view?.run ?? '')
    const waiting = run(home, ['wait', 'haystack', '--text', 'needle \\d+', '--timeout', '40'], { timeoutMs: 60_000 })
    const waits = () => readFileSync(join(home.path, 'logs/daemon.log'), 'utf8').split('a client waits').length - 1
    await until(() => waits() === 2, { what: 'the second wait to have begun' })
    killDaemon(home)
    writeFileSync(go, '')
    await until(() => rawLog(directory).some(({ records }) => records.some(({ payload }) => payload.includes('all said'))), {
      what: 'the program to have said everything',
    })
    expect((await run(home, ['daemon', 'start'])).code).toBe(0)
    expect(await waiting).toEqual({ code: 0, stdout: 'needle 4711\n', stderr: '' })
    // Who begins to wait only now has not seen it.
    expect((await run(home, ['wait', 'haystack', '--text', 'needle \\d+', '--timeout', '0.2'])).code).not.toBe(0)
  },
  60_000,
)
