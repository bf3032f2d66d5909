/** What every reader of a run is promised, however fast the program and however slow the reader. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, logOf, sh, typed } from '../../test/support/realHolder.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

describe('output', () => {
  it('of short programs arrives whole, before their exit, fifty times', async () => {
    const expected = `${'x'.repeat(20_000)}END`
    const once = async (): Promise<void> => {
      const holder = await holders.start(sh('printf "%020000d" 0 | tr 0 x; printf END'))
      const link = await holder.link()
      link.subscribe()
      await link.seen('exited')
      expect(link.text()).toBe(expected)
      expect(link.messages.at(-1)).toEqual({ kind: 'exited', seq: expected.length, status: { code: 0 } })
      link.send({ kind: 'takeExit' })
      expect(await holder.left).toBe(0)
    }
    for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 5 }, once))
  }, 60_000)

  it('is the same from any seq, for any number of readers', async () => {
    const holder = await holders.start(sh('seq 300000; sleep 100'))
    const whole = await holder.link()
    whole.subscribe({ from: 'oldest' })
    await until(() => whole.text().endsWith('300000\r\n'), { what: 'all the output' })
    const all = whole.output()
    for (let i = 0; i < 30; i++) {
      const from = Math.floor(Math.random() * (all.length + 1))
      const link = await holder.link()
      link.subscribe({ from, follow: false, window: 1 + Math.floor(Math.random() * 300_000) })
      await link.seen('caughtUp')
      expect(link.of('subscribed')).toEqual([{ kind: 'subscribed', from, size: { cols: 80, rows: 24 }, answeredTo: 0 }])
      expect(link.output().equals(all.subarray(from)), `from ${from}`).toBe(true)
      expect(link.messages.at(-1)).toEqual({ kind: 'caughtUp', seq: all.length })
      link.close()
    }
  })

  it.each([50_000, 2 << 20])(
    'reaches a slow reader with a window of %i byte for byte, however fast the program is',
    async (window) => {
      const holder = await holders.start({ ...sh('read x; seq 800000; printf END'), segmentBytes: 64 << 10 })
      const [slow, fast] = [await holder.link({ acks: false }), await holder.link()]
      slow.subscribe({ window })
      fast.subscribe()
      fast.send(typed('\n'))
      let acked = 0
      await until(
        () => {
          const got = slow.of('output').reduce((sum, { bytes }) => sum + bytes.length, 0)
          expect(got - acked).toBeLessThanOrEqual(window)
          slow.send({ kind: 'ack', bytes: got - acked })
          acked = got
          return slow.of('exited').length > 0
        },
        { what: 'the slow reader to finish', timeoutMs: 15_000 },
      )
      await fast.seen('exited') // the slow one may hear of it first
      expect(slow.of('gap')).toEqual([])
      expect(slow.output().equals(fast.output())).toBe(true)
      expect(slow.text().endsWith('800000\r\nEND')).toBe(true)
    },
    20_000,
  )

  it('reaches a patient reader with what comes within its patience, and its end at once', async () => {
    const holder = await holders.start(sh('read x; for i in 1 2 3 4 5; do printf $i; done; read x; printf END'))
    const link = await holder.link()
    link.subscribe({ patienceMs: 40 })
    link.send(typed('\n'))
    await until(() => link.text().includes('12345'), { what: 'output that nothing follows' })
    expect(link.of('output').length).toBeLessThan(5)
    link.send(typed('\n'))
    await link.seen('exited')
    expect(link.text().endsWith('END')).toBe(true)
  })

  it('does not wait for a stuck reader longer than its bound, and tells that reader of the gap', async () => {
    const holder = await holders.start({ ...sh('read x; seq 3000000; printf END; sleep 100'), segmentBytes: 64 << 10 })
    const [stuck, reader] = [await holder.link({ acks: false }), await holder.link()]
    stuck.subscribe({ window: 10_000 })
    reader.subscribe()
    const startedAt = performance.now()
    reader.send(typed('\n'))
    await until(() => Buffer.from(reader.of('output').at(-1)?.bytes ?? []).includes('END'), { what: 'the end', timeoutMs: 15_000 })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(reader.of('gap')).toEqual([])
    stuck.send({ kind: 'ack', bytes: 10_000 })
    await stuck.seen('gap')
    expect(() => stuck.output()).not.toThrow()
  }, 20_000)

  it('waits longer for a patient reader, which is the screen of a busy machine', async () => {
    const holder = await holders.start(sh('read x; seq 3000000; sleep 100'))
    const slow = await holder.link({ acks: false })
    slow.subscribe({ window: 10_000, patienceMs: 4 })
    const control = await holder.link()
    control.send(typed('\n'))
    const printed = async (): Promise<number> => {
      control.send({ kind: 'askStatus' })
      return (await control.next('status')).status.seq
    }
    await until(async () => (await printed()) > 100_000, { what: 'the flood to begin' })
    await delay(2_500)
    expect(await printed()).toBeLessThan(1_000_000)
  }, 20_000)

  it('of a flood that nobody reads stays within the log, and the program is not slowed', async () => {
    const holder = await holders.start({ ...sh('head -c 100000000 /dev/zero; printf END; sleep 100'), segmentBytes: 1 << 20 })
    const control = await holder.link()
    await until(
      async () => {
        control.send({ kind: 'askStatus' })
        return (await control.next('status')).status.seq > 100_000_000
      },
      { what: 'a hundred megabytes', timeoutMs: 15_000 },
    )
    await until(() => logOf(holder).some((record) => record.kind === 'output' && record.seq + record.bytes.length === 100_000_003), {
      what: 'the end in the log',
    })
    const sizes = readdirSync(holder.order.runDirectory).map((name) => statSync(join(holder.order.runDirectory, name)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan((2 << 20) + 4_096)
    const late = await holder.link()
    late.subscribe({ from: 0 })
    await late.seen('caughtUp')
    expect(late.of('gap')[0]).toMatchObject({ from: 0 })
    expect(late.text().endsWith('END')).toBe(true)
  }, 30_000)

  it('goes to two readers at different places at once', async () => {
    const holder = await holders.start(sh('printf abc; read x; printf def; sleep 100'))
    const [first, second] = [await holder.link(), await holder.link()]
    first.subscribe({ from: 0 })
    await first.seen('output')
    second.subscribe({ from: 2 })
    first.send(typed('\n'))
    await until(() => first.text().endsWith('def') && second.text().endsWith('def'), { what: 'the rest' })
    expect(first.output().subarray(2).equals(second.output())).toBe(true)
  })

  it('from beyond the head is refused by closing', async () => {
    const holder = await holders.start(sh('sleep 100'))
    const link = await holder.link()
    link.subscribe({ from: 1_000 })
    await until(link.isClosed, { what: 'the link to close' })
  })

  it('carries resizes at their place, live, replayed and in the log', async () => {
    const holder = await holders.start(sh('printf one; read x; printf two; read x; printf three; sleep 100'))
    const live = await holder.link()
    live.subscribe()
    await until(() => live.text().includes('one'), { what: 'one' })
    const size = { cols: 100, rows: 30 }
    live.send({ kind: 'resize', size })
    live.send({ kind: 'resize', size })
    live.send(typed('\n'))
    await until(() => live.text().includes('two'), { what: 'two' })
    live.send({ kind: 'resize', size: { cols: 90, rows: 20 } })
    live.send(typed('\n'))
    await until(() => live.text().includes('three'), { what: 'three' })
    const replay = await holder.link()
    replay.subscribe({ follow: false })
    await replay.seen('caughtUp')
    const resizes = live.of('resized')
    expect(resizes).toMatchObject([{ seq: 3, size }, { size: { cols: 90, rows: 20 } }])
    expect(replay.of('resized')).toEqual(resizes)
    const later = await holder.link()
    later.subscribe({ from: 3, follow: false })
    await later.seen('caughtUp')
    expect(later.of('subscribed')[0]).toMatchObject({ size })
    expect(later.of('resized')).toHaveLength(1)
    await until(() => logOf(holder).filter(({ kind }) => kind === 'resize').length === 2, { what: 'the resizes in the log' })
  })
})
