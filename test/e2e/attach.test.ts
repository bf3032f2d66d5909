import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killDaemon, type Listed, list, views } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty, type PtyClient } from '../support/ptyClient.ts'

/** A person at a real terminal, attached to a program through the built command, on one home. */
const CONFIG = 'settle_ms = 300\n\n[web]\nport = 0\n'
const MEGABYTE = 1 << 20
const CTRL_BACKSLASH = '\x1c'
const node = (name: string, ...args: string[]): string[] => ['--', process.execPath, fixtureProgram(name), ...args]
const SHELL = ['--env', 'PS1=$ ', '--', 'sh', '-i']

let home: Home
const hf = (...args: string[]): Promise<Ran> => run(home, args)

async function start(name: string, args: readonly string[], ready = 'ready'): Promise<Listed> {
  const made = await json<Listed>(home, ['new', '--name', name, ...args])
  expect((await hf('wait', name, '--text', ready, '--timeout', '15')).code).toBe(0)
  return made
}

type Seat = { readonly cols?: number; readonly rows?: number; readonly env?: Record<string, string> }
const attach = (ref: string, { env, ...size }: Seat = {}): PtyClient =>
  openPty(process.execPath, { args: [HOLDFAST, 'attach', ref], env: environment(home, env), ...size })

/** Attached from a shell that notes the state of its terminal before and after. */
const attachInShell = (ref: string): PtyClient =>
  openPty('sh', {
    args: [
      '-c',
      'echo "before $(stty -g)"; "$0" "$1" attach "$2"; echo "code $?"; echo "after $(stty -g)"',
      process.execPath,
      HOLDFAST,
      ref,
    ],
    env: environment(home),
    cols: 100,
  })

function expectRestored(client: PtyClient): void {
  const [, before, after] =
    client.text().match(/before (\S+)[\s\S]*after (\S+)/) ??
    client
      .output()
      .toString()
      .match(/before (\S+)[\s\S]*after (\S+)/) ??
    []
  expect(before).toMatch(/^[0-9a-f:]+$/)
  expect(after).toBe(before)
  expect(client.isAlternateScreen()).toBe(false)
  const output = client.output().toString('latin1')
  for (const [on, off] of [
    ['\x1b[?1000h', '\x1b[?1000l'],
    ['\x1b[?1006h', '\x1b[?1006l'],
    ['\x1b[?2004h', '\x1b[?2004l'],
    ['\x1b[?25l', '\x1b[?25h'],
  ] as const)
    expect(output.lastIndexOf(off), JSON.stringify(off)).toBeGreaterThan(output.lastIndexOf(on))
}

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, CONFIG)
  expect((await hf('daemon', 'start')).code).toBe(0)
})
afterAll(() => home.dispose())

test('attach shows what is on the screen, types into the program, and detaches by Ctrl-\\ twice or Enter ~ .', async () => {
  const made = await start('shown', ['--env', 'PS1=$ ', '--', 'sh', '-c', 'echo ready; exec sh -i'])
  await using first = attach('shown')
  await first.waitFor(/ready/)
  first.type('echo sum=$((40 + 2))\r')
  await first.waitFor(/^sum=42$/m)
  first.type(CTRL_BACKSLASH + CTRL_BACKSLASH)
  expect((await first.ended).code).toBe(0)
  expect(first.text()).toMatch(/\[detached from shown\]$/)

  await using second = attach(made.id.slice(0, 9))
  await second.waitFor(/^sum=42$/m)
  second.type('echo not~.yet\r')
  await second.waitFor(/^not~.yet$/m)
  second.type('\r~.')
  expect((await second.ended).code).toBe(0)
  expect((await list(home)).find(({ id }) => id === made.id)).toMatchObject({ state: 'live', pid: made.pid })
})

test('one Ctrl-\\ and a doubled ~ reach the program', async () => {
  await start('keys', node('echoes-raw.mjs', '--hex'))
  await using client = attach('keys')
  await client.waitFor(/ready/)
  client.type(`${CTRL_BACKSLASH}x`)
  await client.waitFor(/^1c78$/m)
  client.type(CTRL_BACKSLASH)
  await client.waitFor(/^1c$/m)
  client.type('\r')
  await client.waitFor(/^0d$/m)
  client.type('~~')
  await client.waitFor(/^7e$/m)
})

test('the keys that detach are the ones in config.toml', async () => {
  await start('configured', node('echoes-raw.mjs', '--hex'))
  writeFileSync(`${home.path}/config.toml`, `${CONFIG}\n[attach]\ndetach = "C-a d"\nescape = ""\nscroll = "C-a ["\n`)
  await using client = attach('configured')
  await client.waitFor(/ready/)
  writeFileSync(`${home.path}/config.toml`, CONFIG)
  client.type(CTRL_BACKSLASH + CTRL_BACKSLASH)
  await client.waitFor(/^1c1c$/m)
  client.type('\r~.')
  await client.waitFor(/^0d7e2e$/m)
  client.type('\x01d')
  expect((await client.ended).code).toBe(0)
})

test('when a full-screen program dies under it, the user’s terminal is as it was, and the code is 3', async () => {
  await start('dies', node('draws-alt-screen.mjs'), 'drawn')
  await using client = attachInShell('dies')
  await client.waitFor(/size 100x24/)
  expect(client.isAlternateScreen()).toBe(true)
  client.type('!')
  await client.ended
  expect(client.text()).toMatch(/\[ended: exit 1\]\s+code 3\s+after/)
  expectRestored(client)
  const again = attach('dies')
  expect((await again.ended).code).toBe(3)
})

test('detaching from a full-screen program restores the terminal, and so does a signal', async () => {
  await start('survives', node('draws-alt-screen.mjs'), 'drawn')
  await using detached = attachInShell('survives')
  await detached.waitFor(/size 100x24/)
  detached.type(CTRL_BACKSLASH + CTRL_BACKSLASH)
  await detached.ended
  expect(detached.text()).toMatch(/\[detached from survives\]\s+code 0/)
  expectRestored(detached)
  await using signalled = attach('survives')
  await signalled.waitFor(/size 80x24/)
  process.kill(signalled.pid, 'SIGTERM')
  expect((await signalled.ended).code).toBe(1)
  expect(signalled.isAlternateScreen()).toBe(false)
  expect((await list(home)).find(({ name }) => name === 'survives')?.state).toBe('live')
})

test('attach repaints a full-screen program as it is, without asking it to', async () => {
  await start('painted', ['--size', '80x24', ...node('draws-alt-screen.mjs')], 'drawn 1')
  const seen = (await hf('read', 'painted')).stdout.trimEnd().split('\n')
  await using client = attach('painted', { cols: 80, rows: 24 })
  await client.waitFor(/drawn 1/)
  expect(client.isAlternateScreen()).toBe(true)
  expect(client.screen()).toEqual(seen)
  client.type('k')
  await client.waitFor(/key 6b/)
  await client.waitFor(/drawn 2/)
})

test('the program has the size of the window it is shown in, and hears of every change', async () => {
  await start('window', SHELL, '\\$')
  await using client = attach('window', { cols: 91, rows: 27 })
  await client.waitFor(/\$/)
  client.type('trap "stty size" WINCH; stty size\r')
  await client.waitFor(/^27 91$/m)
  client.resize(110, 31)
  client.type('\r')
  await until(async () => (await list(home)).find(({ name }) => name === 'window'), { what: 'the terminal' })
  await until(
    () => {
      client.type('\r') // the shell runs its trap when it has read a line
      return /^31 110$/m.test(client.text())
    },
    { what: 'the program to hear of the new size' },
  )
  expect(await json(home, ['ls'])).toContainEqual(expect.objectContaining({ name: 'window', size: { cols: 110, rows: 31 } }))
})

test('while the daemon is killed and comes back, typing goes on and nothing is painted twice', async () => {
  await start('carried', node('echoes-raw.mjs'))
  await using client = attach('carried')
  await client.waitFor(/ready/)
  client.type('before;')
  await client.waitFor(/before;/)
  const painted = client.output().length
  killDaemon(home)
  client.type('while away;')
  await client.waitFor(/while away;/)
  expect((await hf('daemon', 'start')).code).toBe(0)
  client.type('back again;')
  await client.waitFor(/back again;/)
  expect((await hf('wait', 'carried', '--text', 'before;while away;back again;', '--timeout', '10')).code).toBe(0)
  client.resize(100, 30)
  await until(async () => (await views(home)).some(({ name, size }) => name === 'carried' && size.cols === 100), {
    what: 'the new daemon to hear of the size',
  })
  expect(client.output().subarray(painted).toString()).toBe('while away;back again;')
})

test('a holder that is gone is told as such', async () => {
  const { holderPid } = await start('orphan', ['--', 'sh', '-c', 'echo ready; exec sleep 300'])
  await using client = attachInShell('orphan')
  await client.waitFor(/ready/)
  process.kill(holderPid ?? 0, 'SIGKILL')
  await client.ended
  expect(client.text()).toMatch(/\[ended: .*(holder|machine).*\]\s+code 3/)
  expect((await list(home)).find(({ name }) => name === 'orphan')).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
  expectRestored(client)
})

test('two people attached to one terminal see the same', async () => {
  await start('shared', SHELL, '\\$')
  await using one = attach('shared')
  await using other = attach('shared')
  await Promise.all([one.waitFor(/\$/), other.waitFor(/\$/)])
  one.type('echo from-$((1))\r')
  await Promise.all([one.waitFor(/^from-1$/m), other.waitFor(/^from-1$/m)])
  other.type('echo from-$((2))\r')
  await Promise.all([one.waitFor(/^from-2\n\$/m), other.waitFor(/^from-2\n\$/m)])
  const lines = (client: PtyClient): string[] => client.screen().filter((line) => line !== '')
  expect(lines(one)).toEqual(lines(other))
})

test('a question of the program to its terminal is answered once, whoever is attached', async () => {
  const asks = `"${process.execPath}" "${fixtureProgram('asks-device.mjs')}" --linger 600`
  await start('asked', ['--', 'sh', '-c', `echo ready; read line; ${asks}; echo over; exec sleep 300`])
  await using client = attach('asked')
  await client.waitFor(/ready/)
  client.type('\r')
  await client.waitFor(/answer 1b5b3f/)
  await using late = attach('asked')
  await late.waitFor(/over/)
  await start('alone', ['--', 'sh', '-c', `${asks}; echo over; exec sleep 300`], 'over')
  for (const name of ['asked', 'alone']) {
    const text = (await hf('read', name, '--history', 'all')).stdout
    expect(text.match(/answer 1b5b3f[0-9a-f]+63$/gm), name).toHaveLength(1)
    expect(text).not.toMatch(/again/)
  }
})

test('a paste of a megabyte arrives whole', async () => {
  const file = `${home.path}/pasted`
  const pasted = Buffer.from(Array.from({ length: MEGABYTE / 16 }, (_, line) => `${String(line).padStart(9, '0')} words\n`).join(''))
  await start('paste', ['--', 'sh', '-c', `stty raw -echo; echo ready; head -c ${MEGABYTE} > '${file}'; echo taken; exec sleep 300`])
  await using client = attach('paste')
  await client.waitFor(/ready/)
  client.type(pasted)
  await client.waitFor(/taken/, 20_000)
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  expect(digest(readFileSync(file))).toBe(digest(pasted))
})

test('attach refuses what it cannot do: no terminal of its own, an unknown id, itself', async () => {
  expect(await hf('attach', 'shared')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') })
  await using unknown = attach('nobody')
  expect((await unknown.ended).code).toBe(1)
  expect(unknown.text()).toContain('There is no terminal "nobody".')
  const { id } = await start('mirror', ['--', 'sh', '-c', 'echo ready; exec sleep 300'])
  await using self = attach('mirror', { env: { HOLDFAST_TERMINAL_ID: id } })
  expect((await self.ended).code).toBe(1)
  expect(self.text()).toContain(`cannot attach to ${id}: you are in it.`)
})

test('new --attach starts a program in the size of the window and shows it at once', async () => {
  const args = [HOLDFAST, 'new', '--name', 'at once', '--attach', '--', 'sh', '-c', 'stty size; read line; exit 6']
  await using client = openPty(process.execPath, { args, env: environment(home), cols: 93, rows: 21 })
  await client.waitFor(/^21 93$/m)
  client.type('\r')
  expect((await client.ended).code).toBe(3)
  expect(client.text()).toMatch(/\[ended: exit 6\]$/)
})

test('what a program copies reaches your own terminal when it does so, and never again with its history', async () => {
  await start('copies', SHELL, '\\$')
  const says = (text: string): string => `printf '\\033]52;c;%s\\a' ${Buffer.from(text).toString('base64')}; echo copied ${text}\n`
  await hf('send', 'copies', says('before').trimEnd(), '--enter')
  expect((await hf('wait', 'copies', '--text', '^copied before', '--timeout', '15')).code).toBe(0)
  await using client = attach('copies')
  await client.waitFor(/^copied before/m)
  client.type(says('live'))
  await client.waitFor(/^copied live/m)
  const copies = [
    ...client
      .output()
      .toString('latin1')
      .matchAll(/\x1b\]52;c;([^\x07\x1b]*)/g),
  ].map(([, data = '']) => atob(data))
  expect(copies).toEqual(['live'])
})

test('a terminal that sleeps cannot be attached to: it says why and what to do, and the window is as it was', async () => {
  const { id } = await start('resting', SHELL, '\\$')
  expect((await hf('sleep', '--force', 'resting')).code).toBe(0)
  await using client = attachInShell('resting')
  await client.ended
  expect(client.text()).toMatch(new RegExp(`The terminal ${id} .*: it was put to sleep\\.\\s+.*holdfast wake .*start`))
  expect(client.text()).toMatch(/before (\S+)[\s\S]*code 3\s+after \1/)
  expect(client.isAlternateScreen()).toBe(false)
})
