import { describe, expect, test } from 'vitest'
import { decideSize, type Lead, newSizing, type SizePolicy, type Sizing, type SizingEvent, stepSizing } from './sizing.ts'
import type { Size } from './terminal.ts'

const [DESK, SHELL, PHONE] = [1, 2, 3]
const size = (text: string): Size => {
  const [cols = 0, rows = 0] = text.split('x').map(Number)
  return { cols, rows }
}
const looks = (client: number, at: string, lead: Lead = 'ifFree'): SizingEvent => ({
  kind: 'looks',
  client,
  who: client === SHELL ? 'attach' : 'page',
  size: size(at),
  lead,
})
const typed = (client: number): SizingEvent => ({ kind: 'typed', client })
const hides = (client: number): SizingEvent => ({ kind: 'hides', client })
const leaves = (client: number): SizingEvent => ({ kind: 'leaves', client })
const byHand: SizingEvent = { kind: 'setByHand' }

/** The size after each event, and who is said to decide; the terminal is made to follow in between. */
function story(events: readonly SizingEvent[], { policy = 'last-typed', at = '120x40' }: { policy?: SizePolicy; at?: string } = {}) {
  let sizing: Sizing = newSizing(policy)
  let present = size(at)
  return events.map((event) => {
    sizing = stepSizing(sizing, event, present)
    const verdict = decideSize(sizing)
    present = verdict.size ?? present
    const by = verdict.by.kind === 'client' ? `client ${verdict.by.client}` : verdict.by.kind
    return `${present.cols}x${present.rows} ${by}`
  })
}

describe('the one who typed last leads', () => {
  test('a newcomer leads if nobody does, and not if somebody does', () => {
    expect(story([looks(DESK, '140x50'), looks(SHELL, '100x30')])).toEqual(['140x50 client 1', '140x50 client 1'])
  })

  test('typing takes the lead, and asking for it does too', () => {
    expect(story([looks(DESK, '140x50'), looks(SHELL, '100x30'), typed(SHELL), typed(DESK), looks(SHELL, '100x30', 'yes')])).toEqual([
      '140x50 client 1',
      '140x50 client 1',
      '100x30 client 2',
      '140x50 client 1',
      '100x30 client 2',
    ])
  })

  test('the size follows the leader’s place, and nobody else’s', () => {
    expect(story([looks(DESK, '140x50'), looks(SHELL, '100x30'), looks(SHELL, '90x20'), looks(DESK, '150x55', 'no')])).toEqual([
      '140x50 client 1',
      '140x50 client 1',
      '140x50 client 1',
      '150x55 client 1',
    ])
  })

  test('a phone that opens a desktop’s terminal does not shrink it, not even alone, until it types', () => {
    expect(story([looks(DESK, '140x50'), looks(PHONE, '45x40'), leaves(DESK), looks(PHONE, '45x20'), typed(PHONE)])).toEqual([
      '140x50 client 1',
      '140x50 client 1',
      '140x50 nobody',
      '140x50 nobody',
      '45x20 client 3',
    ])
  })

  test('a narrow place may lead a terminal that is as narrow already', () => {
    expect(story([looks(PHONE, '45x40')], { at: '45x20' })).toEqual(['45x40 client 3'])
  })

  test('when the leader leaves or hides, who typed last among the visible leads, else who came last', () => {
    const both = [looks(DESK, '140x50'), looks(SHELL, '100x30'), looks(4, '90x20')]
    expect(story([...both, leaves(DESK)]).at(-1)).toBe('90x20 client 4')
    expect(story([...both, typed(SHELL), typed(4), hides(4)]).at(-1)).toBe('100x30 client 2')
    expect(story([...both, typed(SHELL), typed(4), hides(SHELL), leaves(4)]).at(-1)).toBe('140x50 client 1')
  })

  test('when nobody looks, the size stays; who comes back leads again', () => {
    expect(story([looks(DESK, '140x50'), hides(DESK), looks(DESK, '130x45')])).toEqual([
      '140x50 client 1',
      '140x50 nobody',
      '130x45 client 1',
    ])
  })

  test('typing in a hidden place, or without one, changes nothing', () => {
    expect(story([looks(DESK, '140x50'), looks(SHELL, '100x30'), hides(SHELL), typed(SHELL), typed(99)]).at(-1)).toBe('140x50 client 1')
  })

  test('sizes of hidden windows are ignored', () => {
    const sizes = ['0x0', '1x24', '80x0', '1001x40']
    expect(
      story([looks(DESK, '140x50'), ...sizes.map((at) => looks(DESK, at, 'yes')), ...sizes.map((at) => looks(SHELL, at, 'yes'))]),
    ).toEqual(Array(9).fill('140x50 client 1'))
  })
})

describe('a size set by hand', () => {
  test('stands until somebody types or asks', () => {
    const events = [looks(DESK, '140x50'), looks(SHELL, '100x30'), byHand, looks(SHELL, '99x30', 'no'), leaves(SHELL), typed(DESK)]
    expect(story(events)).toEqual(['140x50 client 1', '140x50 client 1', '140x50 hand', '140x50 hand', '140x50 hand', '140x50 client 1'])
  })

  test('stands under “smallest” until a place comes, goes or changes', () => {
    const first = [looks(DESK, '140x50'), byHand, typed(DESK), looks(DESK, '140x50', 'no')]
    expect(story([...first, looks(SHELL, '100x60')], { policy: 'smallest' }).slice(1)).toEqual([
      '140x50 hand',
      '140x50 hand',
      '140x50 hand',
      '100x50 smallest',
    ])
  })
})

test('the smallest columns and rows among the visible, whoever types', () => {
  const events = [looks(DESK, '140x50'), looks(PHONE, '45x60'), typed(DESK), hides(PHONE), hides(DESK)]
  expect(story(events, { policy: 'smallest' })).toEqual([
    '140x50 smallest',
    '45x50 smallest',
    '45x50 smallest',
    '140x50 smallest',
    '140x50 nobody',
  ])
})

test('the verdict of “smallest” names both who is narrowest and who is lowest', () => {
  const sizing = [looks(DESK, '140x20'), looks(SHELL, '100x60')].reduce(
    (before, event) => stepSizing(before, event, size('120x40')),
    newSizing('smallest'),
  )
  expect(decideSize(sizing).by).toEqual({ kind: 'smallest', cols: { client: 2, who: 'attach' }, rows: { client: 1, who: 'page' } })
})

test('a fixed size follows nobody, and a change of policy finds who typed last meanwhile', () => {
  const events = [looks(DESK, '140x50'), looks(SHELL, '100x30', 'yes'), typed(DESK)]
  expect(story([...events, { kind: 'policyChanged', policy: 'last-typed' }], { policy: 'fixed' })).toEqual([
    '120x40 fixed',
    '120x40 fixed',
    '120x40 fixed',
    '140x50 client 1',
  ])
})
