/** What a link may cost that sends without end, or never reads: itself, never the holder or another link. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, type RealHolder, sh } from '../../test/support/realHolder.ts'
import { encodeToHolder, HOLDER_PROTOCOL, type ToHolder } from '../wire/holder.ts'
import { MOST_LINKS } from './holder.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

const HELLO = encodeToHolder({ kind: 'hello', hello: { speaks: HOLDER_PROTOCOL, who: 'flood' } })
const GROWTH_LIMIT_MB = 60 // what comes in is less than a tenth of what it cost when each message was kept

const memoryMB = ({ status }: { readonly status: { readonly holderPid: number } }): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${status.holderPid}/status`, 'utf8'))?.[1]) / 1024

/** Says hello and the same message over and over, and reads nothing; resolves when the holder has taken all of it or ended the link. */
async function flood({ order }: RealHolder, message: ToHolder, times: number): Promise<Socket> {
  const socket = connect(order.socketPath)
  socket.on('error', () => undefined) // it was ended while we wrote
  socket.pause()
  socket.write(HELLO)
  const many = Buffer.concat(Array.from({ length: 10_000 }, () => encodeToHolder(message)))
  for (let left = times; left > 0 && !socket.destroyed; left -= 10_000) {
    await new Promise<void>((resolve) => {
      socket.once('close', resolve)
      socket.write(many, () => resolve())
    })
    socket.removeAllListeners('close')
  }
  return socket
}

async function expectWell(holder: Awaited<ReturnType<Holders['start']>>, before: number): Promise<void> {
  const link = await holder.link()
  link.send({ kind: 'askStatus' })
  await link.seen('status', 30_000)
  expect(memoryMB(holder) - before).toBeLessThan(GROWTH_LIMIT_MB)
}

describe.skipIf(process.platform !== 'linux')('a link that never reads', () => {
  it('and asks without end is ended, and costs no memory', async () => {
    const holder = await holders.start(sh('sleep 100'))
    const before = memoryMB(holder)
    const socket = await flood(holder, { kind: 'askStatus' }, 400_000)
    await expectWell(holder, before)
    socket.destroy()
  }, 60_000)

  it('and subscribes without end costs no memory', async () => {
    const holder = await holders.start(sh('head -c 600000 /dev/zero; sleep 100'))
    const link = await holder.link()
    await until(
      async () => {
        link.send({ kind: 'askStatus' })
        return (await link.next('status')).status.seq >= 600_000
      },
      { what: 'the output' },
    )
    const before = memoryMB(holder)
    const subscribe = { from: 'oldest', window: 1 << 20, follow: false } as const
    const socket = await flood(holder, { kind: 'subscribe', subscribe }, 20_000)
    await expectWell(holder, before)
    socket.destroy()
  }, 60_000)
})

describe.skipIf(process.platform !== 'linux')('input for a program that reads nothing', () => {
  it('takes as much memory as it has bytes, however small its pieces are', async () => {
    const holder = await holders.start(sh('stty raw -echo; sleep 100'))
    const before = memoryMB(holder)
    const socket = await flood(holder, { kind: 'input', bytes: Buffer.from('x') }, 600_000)
    await expectWell(holder, before)
    socket.destroy()
  }, 60_000)

  it('is complained of once, not once per piece', async () => {
    const holder = await holders.start(sh('stty raw -echo; sleep 100'))
    const socket = await flood(holder, { kind: 'input', bytes: Buffer.alloc(1 << 10) }, 20_000)
    await expectWell(holder, Number.POSITIVE_INFINITY)
    expect(holder.complaints().match(/input were dropped/g)).toHaveLength(1)
    socket.destroy()
  }, 60_000)
})

describe('links', () => {
  it('beyond what anybody needs are not accepted; those that are there go on', async () => {
    const holder = await holders.start(sh('cat'))
    const first = await holder.link()
    const sockets = Array.from({ length: MOST_LINKS + 20 }, () => connect(holder.order.socketPath))
    let ended = 0
    for (const socket of sockets) socket.on('error', () => undefined).on('close', () => ended++)
    for (const socket of sockets) socket.resume().write(HELLO)
    await until(() => ended >= 21, { what: 'the excess to be ended' })
    first.send({ kind: 'askStatus' })
    await first.seen('status')
    for (const socket of sockets) socket.destroy()
    await until(async () => (await holder.link()).hello.terminal, { what: 'a link to be accepted again' })
  })
})
