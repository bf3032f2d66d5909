import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { type DaemonEvent, decodeFromDaemon, encodeFromDaemon, fromMessage, toMessage } from '../../wire/daemon.ts'
import { EVENTS_WAIT_AT_BYTES, EventQueue } from './eventQueue.ts'
import { boundPeer, MOST_ALL_BYTES, MOST_EACH_BYTES, type Peer } from './peer.ts'

type Reader = Peer & { backlog: number; readonly sent: DaemonEvent[]; isDropped: boolean }

/** A client that reads when the test says so: its backlog is set. */
function reader(): Reader {
  const sent: DaemonEvent[] = []
  return {
    origin: 'socket',
    capability: EVERYTHING,
    backlog: 0,
    isDropped: false,
    sent,
    send(frame) {
      const message = decodeFromDaemon(fromMessage(toMessage(frame)))
      if (message?.kind === 'event') sent.push(message.event)
      this.backlog += frame.length
    },
    close: () => undefined,
    drop() {
      this.isDropped = true
    },
  }
}

const titled = (id: string, title: string): DaemonEvent => ({ kind: 'terminal', terminal: terminalView({ id, title }) })
const push = (queue: EventQueue, event: DaemonEvent): void => queue.push(event, () => encodeFromDaemon({ kind: 'event', event }))
const titlesIn = ({ sent }: Reader): string[] =>
  sent.flatMap((event) => (event.kind === 'terminal' ? [event.terminal.title ?? ''] : [event.kind]))

describe('events for a client that watches', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('go out at once and in order while it reads', () => {
    const client = reader()
    const queue = new EventQueue(client)
    for (let n = 0; n < 3; n++) push(queue, titled('a', `title ${n}`))
    expect(titlesIn(client)).toEqual(['title 0', 'title 1', 'title 2'])
  })

  it('wait while it does not, one for each record, and the newest goes when it reads again', () => {
    const client = reader()
    const queue = new EventQueue(client)
    client.backlog = EVENTS_WAIT_AT_BYTES
    for (let n = 0; n < 10_000; n++) push(queue, titled(`terminal ${n % 50}`, `title ${n}`))
    push(queue, { kind: 'closed', terminal: 'terminal 7' })
    vi.advanceTimersByTime(60_000)
    expect([client.sent.length, queue.size]).toEqual([0, 50])
    client.backlog = 0
    vi.advanceTimersByTime(1_000)
    expect(queue.size).toBe(0)
    expect(client.sent).toHaveLength(50)
    expect(titlesIn(client)).toContain('title 9999')
    expect(client.sent.at(-1)).toEqual({ kind: 'closed', terminal: 'terminal 7' })
    push(queue, titled('a', 'live again'))
    expect(titlesIn(client).at(-1)).toBe('live again')
  })
})

describe('a client that asks and does not read', () => {
  const faults: string[] = []
  beforeEach(() => void faults.splice(0))
  const bound = (peer: Peer, all: readonly Peer[]): Peer => boundPeer(peer, { all: () => all, dropped: (_, why) => void faults.push(why) })

  it('is dropped when it is too far behind, and nobody else is', () => {
    const [slow, other] = [reader(), reader()]
    slow.backlog = MOST_EACH_BYTES + 1
    bound(slow, [slow, other]).send(encodeFromDaemon({ kind: 'event', event: titled('a', 'b') }))
    expect([slow.isDropped, other.isDropped, faults.length]).toEqual([true, false, 1])
  })

  it('is dropped first when all of them together are too far behind', () => {
    const each = MOST_EACH_BYTES - 1
    const readers = Array.from({ length: Math.ceil(MOST_ALL_BYTES / each) + 1 }, () => Object.assign(reader(), { backlog: each - 10 }))
    const [first, second] = readers
    if (first === undefined || second === undefined) throw new Error('too few')
    second.backlog = each
    bound(first, readers).send(encodeFromDaemon({ kind: 'event', event: titled('a', 'b') }))
    expect(readers.map(({ isDropped }) => isDropped)).toEqual(readers.map((one) => one === second))
  })
})
