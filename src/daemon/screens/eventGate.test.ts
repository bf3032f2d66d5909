import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fixtureProgram } from '../../../test/support/holdfast.ts'
import type { ScreenEvent } from '../../screen/events.ts'
import { createScreen } from '../../screen/screen.ts'
import { EventGate } from './eventGate.ts'
import { EVENT_RATES, type LeavingKind } from './eventRates.ts'

const FLOODS = fixtureProgram('floods-events.mjs')
const HOSTILE = execFileSync(process.execPath, [FLOODS, '--kinds'], { encoding: 'utf8' }).trim().split('\n')
const LEAVING = Object.entries(EVENT_RATES).flatMap(([kind, { everyMs }]) =>
  everyMs === null ? [] : [{ kind: kind as LeavingKind, everyMs }],
)

type Numbered = { readonly kind: LeavingKind; readonly n: number }

describe('the way of events out of a screen thread', () => {
  const sent: Numbered[][] = []
  const dropped: LeavingKind[] = []
  beforeEach(() => {
    sent.splice(0)
    dropped.splice(0)
    vi.useFakeTimers()
  })
  afterEach(() => void vi.useRealTimers())

  const makeGate = () =>
    new EventGate<Numbered>({ send: (events) => void sent.push([...events]), dropped: (kind) => void dropped.push(kind) })

  it.each(LEAVING)('lets the first $kind pass at once, then one in $everyMs ms, and the last one always', ({ kind, everyMs }) => {
    const gate = makeGate()
    for (let n = 0; n < 1_000; n++) gate.take({ kind, n })
    gate.heard()
    expect(sent).toEqual([[{ kind, n: 0 }]])
    vi.advanceTimersByTime(everyMs)
    gate.heard()
    expect(sent).toEqual([[{ kind, n: 0 }], [{ kind, n: 999 }]])
    expect(dropped).toEqual(Array(998).fill(kind))
    vi.advanceTimersByTime(everyMs * 10)
    expect(sent).toHaveLength(2)
    gate.take({ kind, n: 1_000 })
    expect(sent).toHaveLength(3)
  })

  it('sends nothing more until the main thread has taken what was sent, and then only the last of each kind', () => {
    const gate = makeGate()
    for (let n = 0; n < 50; n++) {
      for (const { kind } of LEAVING) gate.take({ kind, n })
      vi.advanceTimersByTime(1_000)
    }
    expect(sent).toHaveLength(1)
    gate.heard()
    expect(sent[1]?.filter(({ kind }) => kind !== sent[0]?.[0]?.kind).map(({ n }) => n)).toEqual(LEAVING.slice(1).map(() => 49))
    expect(sent).toHaveLength(2)
  })

  it('does not hold one kind back because of another', () => {
    const gate = makeGate()
    gate.take({ kind: 'bell', n: 1 })
    gate.heard()
    gate.take({ kind: 'bell', n: 2 })
    gate.take({ kind: 'title', n: 3 })
    expect(sent.flat().map(({ n }) => n)).toEqual([1, 3])
  })

  it('sends what waits when the run ends, also to a main thread that is late', () => {
    const gate = makeGate()
    gate.take({ kind: 'title', n: 1 })
    gate.take({ kind: 'title', n: 2 })
    gate.flush()
    expect(sent.flat().map(({ n }) => n)).toEqual([1, 2])
    vi.advanceTimersByTime(10_000)
    gate.heard()
    expect(sent).toHaveLength(2)
  })
})

describe('the table of rates', () => {
  /** Events by kind, and answers, of what the fixture prints. */
  async function caused(kind: string): Promise<{ readonly events: Map<string, number>; readonly replies: number }> {
    const screen = createScreen({ cols: 80, rows: 24 })
    const events = new Map<string, number>()
    let replies = 0
    screen.onEvent((event: ScreenEvent) => void events.set(event.kind, (events.get(event.kind) ?? 0) + 1))
    screen.onReply(() => void replies++)
    await screen.feed(execFileSync(process.execPath, [FLOODS, kind, '--print', '200'], { maxBuffer: 1 << 20 }))
    expect(screen.size).toEqual({ cols: 80, rows: 24 })
    screen.dispose()
    return { events, replies }
  }

  it.each(HOSTILE)('has a row for all that a flood of %s causes', async (kind) => {
    const { events } = await caused(kind)
    for (const seen of events.keys()) expect(Object.keys(EVENT_RATES)).toContain(seen)
  })

  it('is tried by the fixture in every row but the one for an engine that fails', async () => {
    const { events, replies } = await caused('mixed')
    expect([...events.keys()].sort()).toEqual(
      Object.keys(EVENT_RATES)
        .filter((kind) => kind !== 'fault')
        .sort(),
    )
    expect(replies).toBeGreaterThan(0)
  })

  it.each(['progress', 'clipboard', 'resizeRequest', 'palette'])('needs no row for %s, which causes nothing outside', async (kind) => {
    expect(await caused(kind)).toEqual({ events: new Map(), replies: 0 })
  })

  it('gives a reason for each row', () => {
    for (const { why } of Object.values(EVENT_RATES)) expect(why.length).toBeGreaterThan(10)
  })
})
