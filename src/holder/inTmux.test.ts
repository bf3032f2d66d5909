import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, linkTo, logOf, type RealHolder, sh, typed } from '../../test/support/realHolder.ts'
import { configText } from '../tmux/config.ts'
import type { TmuxOrder } from '../wire/holder.ts'

/** What only a holder whose program is in tmux does; what every backend does is in daemon/backends/contract.ts. */
const holders = new Holders()
let directory = ''
let socket = ''

beforeAll(() => {
  buildHolder()
  directory = mkdtempSync(join(tmpdir(), 'hx-'))
  socket = join(directory, 'tmux.sock')
  writeFileSync(join(directory, 'tmux.conf'), configText())
})
afterEach(() => holders.endAll())
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const SESSION = 'holdfast-r0123456789'
const inTmux = (): { tmux: TmuxOrder } => ({ tmux: { kind: 'new', socket, session: SESSION, config: join(directory, 'tmux.conf') } })
const found = ({ order }: RealHolder) => ({ ...order, tmux: { kind: 'found', socket, session: SESSION } as const })
const tmux = (...args: string[]): string => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' })

describe('a program in tmux', () => {
  test('is seen byte by byte from its first to its last, and how it ended', async () => {
    const holder = await holders.start({ ...sh("printf 'a\\033[31m\\\\ \\303\\244\\n'; exit 7"), ...inTmux() })
    const link = await holder.link()
    link.subscribe()
    expect((await link.seen('exited')).status).toEqual({ code: 7 })
    expect(link.text()).toBe('a\x1b[31m\\ ä\r\n')
    link.send({ kind: 'takeExit' })
    await holder.left
    expect(() => tmux('ls')).toThrow()
  })

  test('is told by which signal it was ended', async () => {
    const holder = await holders.start({ ...sh('kill -KILL $$'), ...inTmux() })
    const link = await holder.link()
    link.subscribe()
    expect((await link.seen('exited')).status).toEqual({ signal: 'SIGKILL' })
  })

  test('has exactly the environment, the directory and the mask it was given, and no sign of tmux', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'we#(touch pwned) ird ä'))
    const env = { PATH: process.env['PATH'] ?? '', ODD: 'a"b$HOME\'#{x};\n2ü\\' }
    const holder = await holders.start({ ...sh('env -0; umask; pwd; ls'), cwd, env, umask: 0o027, ...inTmux() })
    const link = await holder.link()
    link.subscribe()
    await link.seen('exited')
    rmSync(cwd, { recursive: true })
    const [rest = '', ...variables] = link.text().split('\0').reverse()
    expect(rest).toBe(`0027\r\n${cwd}\r\n`)
    expect(variables).toContain('ODD=a"b$HOME\'#{x};\r\n2ü\\')
    expect(variables.filter((variable) => /TMUX|TERM_PROGRAM/.test(variable))).toEqual([])
  })

  test('outlives its holder, and another one goes on with what tmux remembers', async () => {
    const first = await holders.start({
      ...sh("printf 'one\\n'; read x; printf '\\033[32mtwo\\033[0m %s\\n' $x; read y; exit 5"),
      ...inTmux(),
    })
    const link = await first.link()
    link.subscribe()
    await until(() => link.text().includes('one'), { what: 'the first line' })
    await until(() => logOf(first).some(({ kind }) => kind === 'output'), { what: 'the log' })
    first.child.kill('SIGKILL')
    await first.left
    tmux('send-keys', '-t', SESSION, 'unseen', 'Enter')
    await until(() => tmux('capture-pane', '-p', '-t', SESSION).includes('two unseen'), { what: 'what nobody saw' })

    const second = await holders.start(found(first))
    const again = await linkTo(second.order.socketPath)
    again.subscribe({ from: 4 })
    await until(() => again.text().includes('two'), { what: 'the repaint' })
    expect(again.of('gap')).toHaveLength(1)
    expect(again.text()).toContain('one\r\nunseen\r\n\x1b[32mtwo\x1b[39m unseen')
    again.send(typed('x\r'))
    expect((await again.seen('exited')).status).toEqual({ code: 5 })
    await until(() => logOf(second).some(({ kind }) => kind === 'exit'), { what: 'the exit to be in the log' }) // told before it is kept
    expect(logOf(second).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['start', 'output', 'skip', 'exit']))
    again.send({ kind: 'takeExit' })
    await second.left
  })

  test('that is private goes on, too, with nothing of it on disk', async () => {
    const first = await holders.start({ ...sh('stty -echo; echo secret; read x; echo more; read y'), journal: false, ...inTmux() })
    const link = await first.link()
    link.subscribe()
    await until(() => link.text().includes('secret'), { what: 'the first line' })
    first.child.kill('SIGKILL')
    await first.left
    const second = await holders.start(found(first))
    const again = await linkTo(second.order.socketPath)
    again.subscribe({ from: 8 })
    await until(() => again.text().includes('secret'), { what: 'the repaint' })
    again.send(typed('\r'))
    await until(() => again.text().includes('more'), { what: 'what it prints then' })
    expect(logOf(second)).toEqual([])
    again.send({ kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
    await again.seen('exited')
    again.send({ kind: 'takeExit' })
    await second.left
  })

  test('goes on when its holder is cut off from tmux for a while', async () => {
    const holder = await holders.start({
      ...sh("stty -echo; printf 'ready\\n'; while read x; do printf 'got %s\\n' $x; done"),
      ...inTmux(),
    })
    const link = await holder.link()
    link.subscribe()
    await until(() => link.text().includes('ready'), { what: 'the program' })
    tmux('detach-client', '-s', SESSION)
    await link.seen('gap')
    link.send(typed('again\r'))
    await until(() => link.text().includes('got again'), { what: 'the echo' })
    expect(link.text()).toMatch(/ready\r\n\x18.*\x1b\[3J.*ready\r\n/s)
  })

  test('is lost when tmux is killed, and nobody says how it ended', async () => {
    const holder = await holders.start({ ...sh('echo here; read x'), ...inTmux() })
    const link = await holder.link()
    link.subscribe()
    await until(() => link.text().includes('here'), { what: 'the program' })
    tmux('kill-server')
    await holder.left
    expect(logOf(holder).some(({ kind }) => kind === 'exit')).toBe(false)
  })

  test('leaves its program in tmux when the holder is asked to end', async () => {
    const holder = await holders.start({ ...sh('echo here; read x'), ...inTmux() })
    process.kill(holder.status.holderPid, 'SIGTERM')
    await holder.left
    expect(tmux('ls')).toContain(SESSION)
    tmux('kill-server')
  })

  test('gets a large paste whole, and a flood loses nothing', async () => {
    const copy = join(directory, 'copy')
    const holder = await holders.start({
      ...sh(`stty raw -echo; echo ready; head -c 300000 > ${copy}; seq 1 100000; echo done; read x`),
      ...inTmux(),
    })
    const link = await holder.link()
    link.subscribe()
    await until(() => link.text().includes('ready'), { what: 'the program' })
    const paste = Buffer.alloc(300_000, 'päste\t;"\'\n')
    link.send({ kind: 'input', bytes: paste })
    await until(() => link.text().endsWith('done\n'), { what: 'the flood', timeoutMs: 30_000 })
    expect(readFileSync(copy).equals(paste)).toBe(true)
    const numbers = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(link.text().slice(link.text().indexOf('ready') + 6)).toBe(`${numbers}done\n`)
  })
})
