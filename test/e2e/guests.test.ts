import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../src/wire/commands/commands.ts'
import { launchBrowser } from '../support/browser.ts'
import { killDaemonAndHolders, views } from '../support/daemon.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, shows } from '../support/pages.ts'
import { isRunning, processesMentioning } from '../support/processes.ts'
import { openPty } from '../support/ptyClient.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** Panes of a tmux like the user's own are guests: seen, typed into, and never ended by anything that Holdfast does. */
let home: Home
let directory = ''
let socket = ''
let servers = 0

const tmux = (...args: string[]): string => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).trim()
const pidOf = (pane: string): number => Number(tmux('display-message', '-p', '-t', pane, '#{pane_pid}'))
const adopt = (...args: string[]) => json<Outcome<'terminal.adopt'>>(home, ['adopt', '--tmux', '--socket', socket, ...args])
const only = async (): Promise<TerminalRow> => {
  const [first] = await views(home)
  if (first === undefined) throw new Error('there is no terminal')
  return first
}
const reads = (id: string, text: string) =>
  until(async () => (await run(home, ['read', id])).stdout.includes(text), { what: `${id} to show ${text}` })

const PROGRAM = "sh -c 'echo guest is here; while read x; do echo got $x; done'"

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'hg-'))
})
beforeEach(() => {
  servers += 1
  socket = join(directory, `u${servers}`) // a server that is just ending takes a new session along
  home = makeHomeWithOwnPort()
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'work', '-x', '70', '-y', '20', PROGRAM)
})
afterEach(async () => {
  await home.dispose()
  tmux('kill-server')
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** All that can be seen of the user's tmux from outside, but for our own clients. */
const everything = (): string =>
  [
    tmux(
      'list-panes',
      '-a',
      '-F',
      '#{pane_id} #{pane_pid} #{pane_width}x#{pane_height} #{window_active}#{pane_active} #{pane_pipe} #{pane_in_mode}',
    ),
    tmux('list-windows', '-a', '-F', '#{window_id} #{window_width}x#{window_height} #{window_name}'),
    ...['-s', '-g', '-wg'].map((flag) => tmux('show-options', flag)),
    ...[tmux('show-options', '-t', 'work'), tmux('show-options', '-p', '-t', 'work'), tmux('show-options', '-w', '-t', 'work')],
    ...[tmux('show-hooks', '-g'), tmux('show-hooks', '-t', 'work'), tmux('list-buffers'), tmux('list-sessions', '-F', '#{session_name}')],
  ].join('\n')

test('all panes are adopted once, typed into, and nothing is changed in the tmux they are at home in', async () => {
  tmux('set-option', '-g', 'automatic-rename', 'off')
  tmux('split-window', '-d', '-h', '-t', 'work', PROGRAM)
  tmux('new-window', '-d', '-t', 'work', PROGRAM)
  const before = everything()
  const { adopted, left } = await adopt('work')
  expect([adopted.map(({ pane }) => pane), left]).toEqual([['work:0.0', 'work:0.1', 'work:1.0'], []])
  const [, second] = adopted
  expect(second?.terminal).toMatchObject({ backend: 'guest', tmuxSession: 'work', workspace: 'work', size: { cols: 34, rows: 20 } })
  const id = second?.terminal.id ?? ''
  await run(home, ['send', id, 'x'.repeat(300), '--enter'])
  await reads(id, 'got xxx')
  expect(tmux('list-clients', '-F', '#{client_control_mode}')).toBe('1\n1\n1')
  expect(everything()).toBe(before)

  const again = await run(home, ['adopt', '--tmux', 'work', '--socket', socket])
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/nothing to adopt: skipped work:0\.0: it is already adopted as /)])
  expect((await run(home, ['ls'])).stdout).toContain('your tmux: work')
  expect((await run(home, ['daemon', 'stop', '--all'])).code).toBe(0)
  await until(() => tmux('list-clients') === '', { what: 'our clients to be gone' })
  expect(everything()).toBe(before)
})

test('whatever is done to a guest, its program goes on', async () => {
  const pid = pidOf('work')
  const { adopted } = await adopt()
  const id = adopted[0]?.terminal.id ?? ''
  const isLetGo = async () => {
    await until(() => tmux('list-clients') === '', { what: 'the guest to be let go' })
    expect(isRunning(pid)).toBe(true)
    expect(pidOf('work')).toBe(pid)
  }
  const wake = async () => expect((await run(home, ['wake', id])).stdout).toContain('is shown again')

  expect((await run(home, ['sleep', id])).stdout).toContain('keeps running in your tmux')
  await isLetGo()
  const { because } = await only()
  expect(because).toMatchObject({ kind: 'slept', context: { freedBytes: null } })
  expect((await run(home, ['read', id])).stdout).toContain('guest is here')
  await wake()
  expect((await run(home, ['sleep', '--all'])).stdout).toMatch(/released.*\n.*1 keeps running in your tmux/)
  await isLetGo()
  await wake()
  const closed = await run(home, ['close', '--remove-worktree', id])
  expect(closed.stdout).toMatch(/Released .*: its program keeps running in your tmux.*\n.*was not removed/)
  await isLetGo()
  expect((await run(home, ['reopen', id])).code).toBe(0)
  await wake()
  process.kill((await only()).holderPid ?? 0, 'SIGTERM')
  await until(async () => (await only()).state === 'live' && (await run(home, ['send', id, 'after', '--enter'])).code === 0, {
    what: 'another holder',
  })
  await reads(id, 'got after')
  expect((await run(home, ['daemon', 'stop', '--all'])).code).toBe(0)
  await isLetGo()
  await wake()
  expect((await run(home, ['start-over', '--confirm', 'start over'])).code).toBe(0)
  await isLetGo()
  expect((await run(home, ['restore', '--yes'])).code).toBe(0)
  await wake()
  expect((await run(home, ['restore', '--yes'])).code).toBe(0)
  expect(pidOf('work')).toBe(pid)
})

test('it goes on when everything of Holdfast is killed, and is found again with what was printed meanwhile', async () => {
  const pid = pidOf('work')
  const { adopted } = await adopt()
  const id = adopted[0]?.terminal.id ?? ''
  await reads(id, 'guest is here')
  await killDaemonAndHolders(home)
  await until(() => processesMentioning(home.path).length === 0, { what: 'everybody to be gone' })
  tmux('send-keys', '-t', 'work', 'unseen', 'Enter')
  await until(() => tmux('capture-pane', '-p', '-t', 'work').includes('got unseen'), { what: 'what nobody saw' })
  expect(await only()).toMatchObject({ state: 'live', pid })
  await reads(id, 'got unseen')
  await run(home, ['send', id, 'again', '--enter'])
  await reads(id, 'got again')
  expect(pidOf('work')).toBe(pid)
})

test('its own tmux decides its size, and whoever looks at it is told so', async () => {
  const { adopted } = await adopt()
  const id = adopted[0]?.terminal.id ?? ''
  expect((await run(home, ['resize', id, '90x30'])).stderr).toContain('its own tmux decides its size')
  await using client = openPty(process.execPath, { args: [HOLDFAST, 'attach', id], env: environment(home), cols: 100, rows: 40 })
  await client.waitFor(/Sized by your tmux: 70×20/)
  tmux('resize-window', '-t', 'work', '-x', '66', '-y', '18')
  await until(async () => (await only()).size.cols === 66, { what: 'the new size' })
  expect(await only()).toMatchObject({ size: { cols: 66, rows: 18 }, sizedBy: { kind: 'tmux' } })
  await client.waitFor(/66×18/)
  expect(tmux('display-message', '-p', '-t', 'work', '#{pane_width}x#{pane_height}')).toBe('66x18')
})

test('the page says where it is, why it has its size, and that it is let go', async () => {
  await using browser = await launchBrowser()
  const { adopted } = await adopt()
  const id = adopted[0]?.terminal.id ?? ''
  const page = await openLoggedIn(home, browser)
  await page.goto(`${new URL(page.url()).origin}/#${id}`)
  await shows(page, /guest is here/, { id })
  await page.getByText('in your tmux: work').first().waitFor()
  await page.getByText('Sized by your tmux: 70×20').first().waitFor()
  await page.locator(`[data-terminal="${id}"]`).getByRole('button', { name: 'Release' }).click()
  await page.getByText('it keeps running in your tmux').first().waitFor()
  await page.getByRole('button', { name: 'Show again' }).first().click()
  await until(async () => (await only()).state === 'live', { what: 'the guest to be shown again' })
  expect(isRunning(pidOf('work'))).toBe(true)
})

test('a guest whose program is gone keeps its last screen, and another program in a pane of its name is not taken for it', async () => {
  const { adopted } = await adopt()
  const guest: TerminalRow | undefined = adopted[0]?.terminal
  const [id, pid] = [guest?.id ?? '', guest?.pid ?? 0]
  await reads(id, 'guest is here')
  await run(home, ['sleep', id])
  tmux('kill-server')
  await until(() => !isRunning(pid), { what: 'the program to be gone' })
  await until(() => tmux('-f', '/dev/null', 'new-session', '-d', '-P', '-s', 'other', 'exec cat'), { what: 'another server' })
  const woken = await run(home, ['wake', id])
  expect([woken.code, woken.stderr]).toEqual([1, expect.stringContaining('the program that was in this pane is gone')])
  expect((await run(home, ['read', id])).stdout).toContain('guest is here')
})

test('it is never put to sleep by itself', async () => {
  writeFileSync(join(home.path, 'config.toml'), '[web]\nport = 0\n[sleep]\nidle_s = 1\n')
  await adopt()
  const { id: shell } = await json<TerminalRow>(home, ['new', '--', 'sh'])
  const stateOf = async (id: string) => (await views(home)).find((terminal) => terminal.id === id)?.state
  await until(async () => (await stateOf(shell)) === 'asleep', { what: 'a shell to be put to sleep', timeoutMs: 30_000 })
  expect((await views(home)).filter(({ backend }) => backend === 'guest').map(({ state }) => state)).toEqual(['live'])
})

test('what cannot be adopted is refused with a reason', async () => {
  const refused = async (...args: string[]) => (await run(home, ['adopt', ...args])).stderr
  expect(await refused()).toContain('--tmux')
  expect(await refused('--tmux', 'nope', '--socket', socket)).toContain('There is no tmux session "nope"')
  expect(await refused('--tmux', 'wor', '--socket', socket)).toContain('There is no tmux session "wor"')
  expect(await refused('--tmux', 'a:b', '--socket', socket)).toContain('is not a valid name of a tmux session')
  expect(await refused('--tmux', '--socket', join(directory, 'none'))).toContain('No tmux server answers')
  expect(await refused('--tmux', '--socket', join(home.path, 'sockets/tmux.sock'))).toContain('Holdfast itself runs its programs in it')
  expect(await refused('--tmux', '--socket', socket, '--workspace', 'nowhere')).toContain('There is no workspace')
})

test('a tmux at a place where others can put theirs is not adopted, and a guest is let go once it is', async () => {
  await adopt('work')
  const guest = await only()
  await killDaemonAndHolders(home)
  chmodSync(directory, 0o777)
  try {
    const refused = await run(home, ['adopt', '--tmux', '--socket', socket])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`cannot use ${socket}: other users can write to its directory.`)
    expect(await only()).toMatchObject({ id: guest.id, state: 'asleep' })
    const woken = await run(home, ['wake', guest.id])
    expect(woken.code).toBe(1)
    expect(woken.stderr).toContain('other users can write to its directory')
    expect(tmux('list-clients')).toBe('')
  } finally {
    chmodSync(directory, 0o700)
  }
  expect((await run(home, ['wake', guest.id])).code).toBe(0)
  await reads(guest.id, 'guest is here')
})
