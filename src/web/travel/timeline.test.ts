import { describe, expect, test } from 'vitest'
import {
  type Checkpoint,
  chosenByKey,
  dayWords,
  detailOf,
  faultOf,
  heightOf,
  momentWords,
  rowsInSight,
  rowsOf,
  scrolledTo,
  stillChosen,
  stripOf,
  titleOf,
} from './timeline.ts'

const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()
const clock = { now: at(17, 15), locale: 'en-GB' }
const checkpoint = (id: string, changes: Partial<Checkpoint> = {}): Checkpoint => ({
  id,
  at: at(17, 14, 32),
  kind: 'event',
  note: null,
  knownGood: true,
  terminalCount: 3,
  bytes: 1,
  stateHash: '',
  session: '',
  ...changes,
})
const many = (count: number): readonly Checkpoint[] =>
  Array.from({ length: count }, (_, index) => checkpoint(`c${index}`, { at: clock.now - index * 3_600_000 }))

test('days are today, yesterday, and dates, with the year where it is another one', () => {
  expect([at(17, 0), at(16, 23), at(15, 9), new Date(2025, 11, 24).getTime()].map((moment) => dayWords(moment, clock))).toEqual([
    'Today',
    'Yesterday',
    expect.stringMatching(/^Sun,? 15 Nov$/),
    expect.stringMatching(/^Wed,? 24 Dec 2025$/),
  ])
  expect([at(17, 14, 32), at(16, 9), at(15, 9)].map((moment) => momentWords(moment, clock))).toEqual([
    'at 14:32',
    'yesterday at 09:00',
    expect.stringMatching(/^on Sun,? 15 Nov at 09:00$/),
  ])
})

describe('a checkpoint', () => {
  test('is called by its note, else by how it came about', () => {
    const noted = checkpoint('c1', { kind: 'manual', note: 'the big change' })
    expect([titleOf(noted, [], clock), titleOf(checkpoint('c2'), [], clock)]).toEqual(['The big change', 'Autosave after a change'])
  })

  test('that takes a restore back says which, as far as that one is still there', () => {
    const undo = checkpoint('c3', { kind: 'before-destructive', note: 'before restoring c1' })
    const title = (...all: readonly Checkpoint[]) => titleOf(undo, all, clock)
    expect([title(checkpoint('c1')), title(checkpoint('c1', { note: 'good one' })), title()]).toEqual([
      'Before restoring 14:32',
      'Before restoring “good one”',
      'Before a restore',
    ])
    const again = checkpoint('c4', { kind: 'before-destructive', note: 'before restoring c3' })
    expect(titleOf(again, [undo], clock)).toBe('Before restoring 14:32')
  })

  test('says what is wrong with it', () => {
    const one = checkpoint('c1', { terminalCount: 1 })
    expect(detailOf(one, new Set())).toBe('1 terminal')
    expect(detailOf(one, new Set(['c1']))).toBe('1 terminal · damaged')
    expect([faultOf({ ...one, knownGood: false }, new Set()), faultOf({ ...one, knownGood: false, terminalCount: 0 }, new Set())]).toEqual([
      'incomplete',
      'empty',
    ])
    expect(detailOf(checkpoint('c2', { kind: 'manual', note: 'x' }), new Set())).toBe('Saved by you · 3 terminals')
  })
})

describe('the list', () => {
  test('has a row for each day and each checkpoint, one below the other', () => {
    const rows = rowsOf([checkpoint('c1'), checkpoint('c2'), checkpoint('c3', { at: at(16, 3) })], clock)
    expect(rows.map((row) => (row.kind === 'day' ? row.title : row.checkpoint.id))).toEqual(['Today', 'c1', 'c2', 'Yesterday', 'c3'])
    for (const [index, row] of rows.entries()) expect(row.top).toBe(index === 0 ? 0 : heightOf(rows.slice(0, index)))
  })

  test('draws few rows however many there are, and all that can be seen', () => {
    const rows = rowsOf(many(500), clock)
    const seen = { top: 9_000, height: 600 }
    const drawn = rowsInSight(rows, seen)
    expect(drawn.length).toBeLessThan(40)
    const visible = rows.filter(({ top, height }) => top < seen.top + seen.height && top + height > seen.top)
    expect(drawn).toEqual(expect.arrayContaining([...visible]))
  })

  test('is scrolled no further than it takes to see the chosen one, under its day', () => {
    const rows = rowsOf(many(50), clock)
    expect(scrolledTo(rows, 'c0', { top: 500, height: 300 })).toBe(0)
    expect(scrolledTo(rows, 'c3', { top: 0, height: 600 })).toBe(0)
    const last = scrolledTo(rows, 'c49', { top: 0, height: 300 })
    expect(last).toBe(heightOf(rows) - 300)
    expect(scrolledTo(rows, 'c48', { top: last, height: 300 })).toBe(last)
  })

  test('goes by keys from one to the next, to both ends, and no further', () => {
    const keys = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Home', 'End', 'x']
    expect(keys.map((key) => chosenByKey(key, 1, 5))).toEqual([2, 0, 2, 0, 4, 0, 0, 4, null])
    expect([chosenByKey('ArrowUp', 0, 5), chosenByKey('ArrowDown', 4, 5), chosenByKey('End', 0, 0)]).toEqual([0, 4, null])
  })

  test('keeps the chosen one while others come and go; its neighbour takes the place of one that is gone', () => {
    const [a, b, c] = [checkpoint('a'), checkpoint('b'), checkpoint('c')]
    expect(stillChosen([b, c], [a, b, c], 'b')).toBe('b')
    expect(stillChosen([a, b, c], [a, c], 'b')).toBe('c')
    expect(stillChosen([a, b, c], [a, b], 'c')).toBe('b')
    expect([stillChosen([], [a, b], null), stillChosen([a], [], 'a')]).toEqual(['a', null])
  })
})

describe('the strip', () => {
  test('runs from the oldest to the newest, and what was asked for stands out', () => {
    const { ticks } = stripOf([checkpoint('c3'), checkpoint('c2', { kind: 'manual' }), checkpoint('c1')], clock)
    expect(ticks).toEqual([
      { at: 0, standsOut: false },
      { at: 0.5, standsOut: true },
      { at: 1, standsOut: false },
    ])
    expect(stripOf([checkpoint('c1')], clock).ticks).toEqual([{ at: 0, standsOut: false }])
  })

  test('names days only where there is room', () => {
    const { days } = stripOf(many(500), clock)
    expect(days.length).toBeGreaterThan(3)
    for (const [index, { at: place }] of days.entries()) expect(place - (days[index - 1]?.at ?? -1)).toBeGreaterThanOrEqual(0.1)
  })
})
