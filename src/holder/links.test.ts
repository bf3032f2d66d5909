/** What links may send, and what it does to the program and to other links. */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, sh, typed } from '../../test/support/realHolder.ts'
import { encodeFrame } from '../wire/frames.ts'
import { encodeToHolder, HOLDER_PROTOCOL } from '../wire/holder.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('input', () => {
  it('answers each query once, whoever repeats the answer', async () => {
    const holder = await holders.start(sh('stty raw -echo; printf R; cat'))
    const link = await holder.link()
    link.subscribe()
    await link.seen('output')
    const answer = (seq: number, text: string) => link.send({ kind: 'answer', seq, bytes: Buffer.from(text) })
    answer(10, 'A')
    answer(10, 'B')
    answer(5, 'C')
    answer(11, 'D')
    link.send(typed('!'))
    await until(() => link.text().endsWith('!'), { what: 'the echo' })
    expect(link.text()).toBe('RAD!')
    const next = await holder.link()
    next.subscribe({ from: 0 })
    expect((await next.seen('subscribed')).answeredTo).toBe(11)
  })

  it('of a megabyte comes out again whole', async () => {
    const holder = await holders.start(sh('stty raw -echo; printf R; cat'))
    const link = await holder.link()
    link.subscribe()
    await link.seen('output')
    const paste = Buffer.from('0123456789abcdef'.repeat(65_536))
    link.send({ kind: 'input', bytes: paste })
    await until(() => link.output().length === paste.length + 1, { what: 'the paste', timeoutMs: 15_000 })
    expect(link.output().subarray(1).equals(paste)).toBe(true)
  }, 20_000)
})

describe('output that is to be told of', () => {
  it('is told once, when it is there or comes, without following it', async () => {
    const holder = await holders.start(sh('stty raw -echo; printf ABC; cat'))
    const link = await holder.link()
    const other = await holder.link()
    link.send({ kind: 'tellOutput', from: 2 })
    expect((await link.next('status')).status.seq).toBe(3)
    link.send({ kind: 'tellOutput', from: 3 })
    link.send(typed('D'))
    expect((await link.next('status')).status.seq).toBe(4)
    link.send(typed('E'))
    other.subscribe()
    await until(() => other.text() === 'ABCDE', { what: 'the echo' })
    expect([link.of('status').length, link.of('output').length, other.of('status').length]).toEqual([2, 0, 0])
  })
})

describe('signals', () => {
  it('to the foreground reach what runs there, not the shell', async () => {
    const holder = await holders.start({ command: '/bin/bash', args: ['--norc', '-i'] })
    const link = await holder.link()
    link.subscribe()
    link.send(typed('sleep 300; echo code=$?\n'))
    await until(
      async () => {
        link.send({ kind: 'askStatus' })
        return (await link.next('status')).status.foreground?.name === 'sleep'
      },
      { what: 'sleep in the foreground' },
    )
    link.send({ kind: 'signal', request: { signal: 'SIGTERM', to: 'foreground' } })
    await until(() => link.text().includes('code=143'), { what: 'the shell to go on' })
    expect(isAlive(holder.status.pid)).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('to the tree reach children, grandchildren and those in sessions of their own', async () => {
    const holder = await holders.start(
      sh(
        'sleep 301 & (sleep 302 & setsid sleep 303 & echo pids $! ; wait) & setsid -w sh -c "sleep 304 & wait" & sleep 0.2; echo ready; wait',
      ),
    )
    const link = await holder.link()
    link.subscribe()
    await until(() => link.text().includes('ready'), { what: 'the children' })
    const pids = descendantsOf(holder.status.pid)
    expect(pids.length).toBeGreaterThanOrEqual(6)
    link.send({ kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
    await link.seen('exited')
    await until(() => !pids.some(isAlive), { what: 'all of them to end' })
  })
})

function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(descendantsOf)]
}

describe('links', () => {
  it.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['an impossible length', Buffer.from([255, 255, 255, 255, 1])],
    ['something other than hello', Buffer.from(encodeToHolder({ kind: 'askStatus' }))],
    ['a hello that is not JSON', Buffer.from(encodeFrame(1, Buffer.from('hello')))],
  ])('that send %s are closed, and no other', async (_, bytes) => {
    const holder = await holders.start(sh('cat'))
    const good = await holder.link()
    const bad = connect(holder.order.socketPath)
    const closed = new Promise((resolve) => bad.once('close', resolve))
    bad.on('error', () => undefined)
    bad.resume()
    bad.write(bytes)
    await closed
    good.send({ kind: 'askStatus' })
    await good.seen('status')
    expect(holder.complaints()).toBe('')
  })

  it('that send a malformed message later are closed too', async () => {
    const holder = await holders.start(sh('cat'))
    const link = await holder.link()
    link.socket.write(encodeFrame(17, Buffer.from('{"cols":0,"rows":0}')))
    await until(link.isClosed, { what: 'the link to close' })
  })

  it('of an unknown version get hello, and nothing else', async () => {
    const holder = await holders.start(sh('printf abc; cat'))
    const stranger = await holder.link({ hello: { speaks: { oldest: 99, newest: 99 }, who: 'the future' } })
    expect(stranger.hello.speaks).toEqual(HOLDER_PROTOCOL)
    stranger.subscribe()
    stranger.send(typed('typed by a stranger'))
    const good = await holder.link()
    good.send(typed('ok\n'))
    good.subscribe()
    await until(() => good.text().includes('ok\r\nok'), { what: 'the echo' })
    expect(good.text()).not.toContain('stranger')
    expect(stranger.messages).toEqual([])
    expect(stranger.isClosed()).toBe(false)
  })

  it('may skip ahead of the answer to hello', async () => {
    const holder = await holders.start(sh('printf abc; sleep 100'))
    const socket = connect(holder.order.socketPath)
    socket.write(
      Buffer.concat([
        encodeToHolder({ kind: 'hello', hello: { speaks: { oldest: 1, newest: 1 }, who: 'x' } }),
        encodeToHolder({ kind: 'askStatus' }),
      ]),
    )
    const types = new Set<number>()
    socket.on('data', (chunk) => types.add(chunk[4] ?? 0))
    await until(() => types.size > 0, { what: 'an answer' })
    expect([...types][0]).toBe(1)
    socket.destroy()
  })
})
