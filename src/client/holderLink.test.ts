import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunId, TerminalId } from '../base/ids.ts'
import { encodeFromHolder, HOLDER_PROTOCOL } from '../wire/holder.ts'
import { linkHolder } from './holderLink.ts'

let folder = ''
let server: Server
let holder: Socket | null = null
const received: Uint8Array[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'l-'))
  received.length = 0
  server = createServer((socket) => {
    holder = socket
    const names = { terminal: 't0123456789' as TerminalId, run: 'r0123456789' as RunId }
    socket.write(encodeFromHolder({ kind: 'hello', hello: { speaks: HOLDER_PROTOCOL, capabilities: [], ...names, status: {} as never } }))
  })
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve))
})
afterEach(async () => {
  holder?.destroy()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

async function link(): Promise<void> {
  const handlers = {
    message: (message: { kind: string }) => void ('bytes' in message && received.push(message.bytes as Uint8Array)),
    closed: () => undefined,
  }
  const linking = await linkHolder({ socketPath: join(folder, 's'), who: 'test', handlers })
  expect(linking.kind).toBe('linked')
}

const say = (seq: number, bytes: Uint8Array): void => void holder?.write(encodeFromHolder({ kind: 'output', seq, bytes }))
const pattern = (length: number, seed: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * seed + (at >> 8)) & 0xff)

it('hands over bytes that stay as they are, whatever is read after them', async () => {
  await link()
  say(0, pattern(1_000, 3))
  await vi.waitFor(() => expect(received).toHaveLength(1))
  say(1_000, pattern(1_000, 5))
  await vi.waitFor(() => expect(received).toHaveLength(2))
  expect(received).toEqual([pattern(1_000, 3), pattern(1_000, 5)])
})

it('puts a message together that is larger than one read', async () => {
  await link()
  say(0, pattern(1 << 20, 7))
  await vi.waitFor(() => expect(received).toHaveLength(1))
  expect(Buffer.compare(received[0] ?? new Uint8Array(), pattern(1 << 20, 7))).toBe(0)
})
