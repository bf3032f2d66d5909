import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killDaemon, status } from '../support/daemon.ts'
import { fixtureProgram, json, type Ran, type RunOptions, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** What scripts do with a terminal: send, read and wait, through the built program, on one home. */
const MEGABYTE = 1 << 20
const node = (name: string, ...args: string[]): string[] => ['--', process.execPath, fixtureProgram(name), ...args]
const shell = (script: string): string[] => ['--', 'sh', '-c', script]

let home: Home
const hf = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => run(home, args, options)
const waitText = (ref: string, text: string): Promise<Ran> => hf(['wait', ref, '--text', text, '--timeout', '15'])

async function start(name: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await hf(['new', '--name', name, ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

/** What the program read, read by read. */
async function readsOf(name: string, count: number): Promise<{ ms: number; bytes: string }[]> {
  expect((await waitText(name, `\\+\\d+ \\w+(\\s+\\+\\d+ \\w+){${count - 1}}`)).code).toBe(0)
  const lines = [...(await hf(['read', name])).stdout.matchAll(/^\+(\d+) ([0-9a-f]+)$/gm)]
  return lines.map(([, ms, bytes]) => ({ ms: Number(ms), bytes: Buffer.from(bytes ?? '', 'hex').toString() }))
}

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[web]\nport = 0\n')
  expect((await hf(['daemon', 'start'])).code).toBe(0)
})
afterAll(() => home.dispose())

test('send types the text and presses Enter in two writes, the second when the first has settled', async () => {
  await start('enter', node('times-reads.mjs'))
  await waitText('enter', 'ready')
  expect(await hf(['send', 'enter', 'grün & `quoted`', '--enter'])).toEqual({ code: 0, stdout: '', stderr: '' })
  const [text, enter, ...more] = await readsOf('enter', 2)
  expect(text?.bytes).toBe('grün & `quoted`')
  expect(enter?.bytes).toBe('\r')
  expect(enter?.ms).toBeGreaterThanOrEqual(35)
  expect(more).toEqual([])
})

test('send presses keys one by one, by name; an unknown one keeps all of them back', async () => {
  await start('keys', node('times-reads.mjs'))
  await waitText('keys', 'ready')
  const wrong = await hf(['send', 'keys', 'text', '--keys', 'C-c,Upp'])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no key "Upp".') })
  expect(await json(home, ['send', 'keys', '--keys', 'C-c,Up, F5'])).toEqual({})
  expect((await readsOf('keys', 3)).map(({ bytes }) => bytes)).toEqual(['\x03', '\x1b[A', '\x1b[15~'])
  expect((await hf(['send', 'keys'])).code).toBe(2)
  expect((await hf(['send', 'keys', '-'], { input: Buffer.from([0xff, 0xfe]) })).code).toBe(2)
})

test('C-c interrupts the program in front', async () => {
  await start('interrupt', shell('trap "echo caught; exit 9" INT; echo ready; while :; do sleep 0.05; done'))
  await waitText('interrupt', 'ready')
  await hf(['send', 'interrupt', '--keys', 'C-c'])
  expect(await hf(['wait', 'interrupt', '--exit', '--timeout', '10'])).toEqual({ code: 0, stdout: 'exit 9\n', stderr: '' })
})

test('a megabyte from the standard input arrives whole', async () => {
  const file = `${home.path}/arrived`
  const sent = Buffer.from(Array.from({ length: MEGABYTE / 16 }, (_, line) => `${String(line).padStart(9, '0')} words\n`).join(''))
  expect(sent.length).toBe(MEGABYTE)
  await start('paste', shell(`stty raw -echo; echo ready; head -c ${MEGABYTE} > '${file}'; echo taken; exec sleep 300`))
  await waitText('paste', 'ready')
  expect((await hf(['send', 'paste', '-'], { input: sent })).code).toBe(0)
  expect((await waitText('paste', 'taken')).code).toBe(0)
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  expect(digest(readFileSync(file))).toBe(digest(sent))
})

test('read gives the screen as text, with colours, as a page and as data', async () => {
  await start('shown', ['--size', '40x6', ...shell(String.raw`printf 'plain \033[1;31mred\033[0m <b>&\nsecond\n'; exec sleep 300`)])
  await waitText('shown', 'second')
  const read = async (format: string): Promise<string> => (await hf(['read', 'shown', '--format', format])).stdout
  expect(await read('text')).toBe('plain red <b>&\nsecond\n')
  expect(await read('ansi')).toMatch(/plain .*\x1b\[[\d;]*31[\d;]*mred/)
  const page = await read('html')
  expect(page).toMatch(/(&lt;|&#60;)b(&gt;|&#62;)(&amp;|&#38;)/)
  expect(page).toMatch(/<span[^>]*>red<\/span>/)
  const data = JSON.parse(await read('json')) as object
  expect(data).toMatchObject({ cols: 40, rows: 6 })
  expect(JSON.stringify(data)).toContain('second')
  expect(JSON.parse((await hf(['read', 'shown', '--json'])).stdout)).toEqual(data)
  expect((await hf(['read', 'shown', '--format', 'pdf'])).code).toBe(2)
})

test('read reaches back as far as asked, and to the first line with --history all', async () => {
  await start('history', ['--size', '40x10', ...node('prints-numbers.mjs', '--every', '0', '--count', '5000', '--prefix', 'n', '--stay')])
  await waitText('history', '^n5000$')
  const numbers = async (...options: string[]): Promise<number[]> =>
    [...(await hf(['read', 'history', ...options])).stdout.matchAll(/^n(\d+)$/gm)].map(([, number]) => Number(number))
  const upTo = (first: number): number[] => Array.from({ length: 5001 - first }, (_, at) => first + at)
  expect(await numbers()).toEqual(upTo(4992))
  expect(await numbers('--history', '5')).toEqual(upTo(4987))
  expect(await numbers('--history', '100000')).toEqual(upTo((await numbers('--history', '100000'))[0] ?? 0))
  expect(await numbers('--history', 'all')).toEqual(upTo(1))
  for (const wrong of ['-1', 'many', '1.5']) expect((await hf(['read', 'history', '--history', wrong])).code, wrong).toBe(2)
})

test('wait sees a text that is there, one that comes, and one that only scrolled by', async () => {
  const flood = `seq 1 5000; printf 'one \\033[32mneedle\\033[0m 42\\n'; seq 1 200000; echo end`
  await start('text', ['--size', '80x10', ...shell(`echo before; while read line; do ${flood}; done`)])
  expect(await hf(['wait', 'text', '--text', '^bef.*e$', '--timeout', '10'])).toEqual({ code: 0, stdout: 'before\n', stderr: '' })
  const waiting = json<{ matched: string; status: null }>(home, ['wait', 'text', '--text', 'needle \\d+', '--timeout', '15'])
  const other = hf(['wait', 'text', '--text', '^123456$', '--timeout', '15'])
  await until(async () => (await status(home)).clients === 3, { what: 'both to be waiting' })
  await hf(['send', 'text', '--enter'])
  expect(await waiting).toEqual({ matched: 'needle 42', status: null })
  expect((await other).code).toBe(0)
  expect((await hf(['wait', 'text', '--text', '('])).code).toBe(2)
})

test('wait says when it gave up, when the program ended, and what was asked wrongly', async () => {
  await start('patience', shell('read line; exit 7'))
  expect((await hf(['wait', 'patience', '--text', 'never', '--timeout', '0.2'])).code).toBe(4)
  expect((await hf(['wait', 'patience', '--exit', '--timeout', '0'])).code).toBe(4)
  const ended = hf(['wait', 'patience', '--text', 'never', '--timeout', '20', '--json'])
  const exit = json(home, ['wait', 'patience', '--exit', '--timeout', '20'])
  await hf(['send', 'patience', '--enter'])
  expect(JSON.parse((await ended).stderr)).toMatchObject({ refusal: { code: 'program-ended', message: expect.stringContaining('exit 7') } })
  expect((await ended).code).toBe(3)
  expect(await exit).toEqual({ matched: null, status: { code: 7 } })
  expect(await hf(['wait', 'patience', '--exit'])).toEqual({ code: 0, stdout: 'exit 7\n', stderr: '' })
  expect((await hf(['wait', 'patience', '--text', 'never'])).code).toBe(3)
  const wrong = [
    [],
    ['--text', 'x', '--exit'],
    ['--text', ''],
    ['--idle', '0'],
    ['--idle', 'x'],
    ['--exit', '--timeout', 'soon'],
    ['--exit', '--timeout', '-1'],
  ]
  const codes = await Promise.all(wrong.map(async (options) => (await hf(['wait', 'patience', ...options])).code))
  expect(codes).toEqual(wrong.map(() => 2))
})

test('wait --idle returns once the program has been quiet, not before', async () => {
  await start('busy', shell('read line; for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; exec sleep 300'))
  expect((await hf(['wait', 'busy', '--idle', '200', '--timeout', '10'])).code).toBe(0)
  await hf(['send', 'busy', '--enter'])
  await waitText('busy', '^1$')
  expect((await hf(['wait', 'busy', '--idle', '300', '--timeout', '10'])).code).toBe(0)
  expect((await hf(['read', 'busy'])).stdout.trimEnd()).toMatch(/6$/)
  await start('restless', node('prints-numbers.mjs', '--every', '10'))
  await waitText('restless', '^line 5$')
  expect((await hf(['wait', 'restless', '--idle', '2000', '--timeout', '3'])).code).toBe(4)
  await hf(['close', 'restless'])
  await start('over', shell('exit 0'))
  await hf(['wait', 'over', '--exit', '--timeout', '10'])
  expect((await hf(['wait', 'over', '--idle', '100', '--timeout', '10'])).code).toBe(3)
})

test('wait outlives a daemon that is killed meanwhile, and a terminal that is closed ends it', async () => {
  await start('survivor', shell('while read line; do echo "got $line"; done; exit 5'))
  await start('closed', shell('exec sleep 300'))
  const text = hf(['wait', 'survivor', '--text', 'got it', '--timeout', '30'])
  const exit = hf(['wait', 'survivor', '--exit', '--timeout', '30'])
  const gone = hf(['wait', 'closed', '--text', 'never', '--timeout', '30'])
  await until(async () => (await status(home)).clients === 4, { what: 'all three to be waiting' })
  killDaemon(home)
  expect((await hf(['daemon', 'start'])).code).toBe(0)
  await hf(['send', 'survivor', 'it', '--enter'])
  expect(await text).toEqual({ code: 0, stdout: 'got it\n', stderr: '' })
  await hf(['close', 'closed'])
  expect([1, 3]).toContain((await gone).code)
  await hf(['send', 'survivor', '--keys', 'C-d'])
  expect(await exit).toEqual({ code: 0, stdout: 'exit 5\n', stderr: '' })
})
