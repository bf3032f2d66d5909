import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { detachConfigOf } from './detachConfig.ts'
import { DetachKeys } from './detachKeys.ts'
import { typeInto } from './typing.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function typing() {
  const input = new PassThrough()
  const seen: string[] = []
  const keys = new DetachKeys(detachConfigOf({ detach: 'C-\\ C-\\', escape: '~.', scroll: 'C-\\ [' }))
  const stop = typeInto({
    input,
    keys,
    send: (bytes) => seen.push(Buffer.from(bytes).toString()),
    detached: () => seen.push('<detached>'),
    scroll: () => seen.push('<scroll>'),
  })
  const type = async (text: string) => {
    input.write(text)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { input, seen, stop, type }
}

describe('typing', () => {
  it('reaches the program at once, but for a first detach key, which waits a second', async () => {
    const { seen, type, stop } = typing()
    await type('ls\r')
    await type('\x1c')
    vi.advanceTimersByTime(999)
    expect(seen).toEqual(['ls\r'])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual(['ls\r', '\x1c'])
    await type('\x1c')
    await type('\x1c')
    expect(seen.at(-1)).toBe('<detached>')
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('detaches when the input ends, and hears nothing after it was stopped', async () => {
    const first = typing()
    first.input.end()
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    expect(first.seen).toEqual(['<detached>'])
    const second = typing()
    second.stop()
    await second.type('x')
    expect(second.seen).toEqual([])
  })

  it('says when to scroll, between what was typed before and what is typed after', async () => {
    const { seen, type, stop } = typing()
    await type('ls\x1c[gg')
    await type('\x1c')
    await type('\x1b[5~')
    await type('\x1cx[')
    expect(seen).toEqual(['ls', '<scroll>', 'gg', '<scroll>', '\x1cx['])
    stop()
  })

  it('can be switched off in the configuration', () => {
    expect(detachConfigOf({ detach: '', escape: '' })).toEqual({ sequence: [], escape: null, scroll: [] })
    expect(detachConfigOf({ detach: 'C-a d', escape: '%.' })).toMatchObject({
      sequence: [Uint8Array.of(1), Uint8Array.of(100)],
      escape: '%',
    })
  })
})
