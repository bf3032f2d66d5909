import { expect, test } from 'vitest'
import { type Frost, type FrostEvent, frostAtFirst, nextFrost } from './frost.ts'

const after = (frost: Frost, steps: readonly (readonly [FrostEvent, 'rest' | 'live'])[]): Frost =>
  steps.reduce((now, [event, is]) => nextFrost(now, event, is === 'rest'), frost)

test('a page that opens shows what sleeps as a picture, and what runs as a drawing', () => {
  expect(frostAtFirst({ state: 'asleep', wakePhase: null })).toBe('covered')
  expect(frostAtFirst({ state: 'waking', wakePhase: 'starting' })).toBe('covered')
  expect(frostAtFirst({ state: 'live', wakePhase: null })).toBe('none')
  expect(frostAtFirst({ state: 'live', wakePhase: 'resuming' })).toBe('lifting')
  expect(frostAtFirst({ state: 'settling', wakePhase: null })).toBe('none')
})

test('the drawing stays until the picture lies over it', () => {
  expect(after('none', [['changed', 'rest']])).toBe('covering')
  expect(after('covering', [['changed', 'rest']])).toBe('covering')
  expect(after('covering', [['pictureShown', 'rest']])).toBe('covered')
  expect(after('covering', [['changed', 'live']])).toBe('none')
})

test('the picture stays until the next program has painted', () => {
  expect(after('covered', [['changed', 'live']])).toBe('lifting')
  expect(after('lifting', [['pictureShown', 'live']])).toBe('lifting')
  expect(after('lifting', [['painted', 'live']])).toBe('clearing')
  expect(
    after('lifting', [
      ['painted', 'live'],
      ['cleared', 'live'],
    ]),
  ).toBe('none')
})

test('a program that ends at once leaves the picture as it was', () => {
  expect(after('lifting', [['changed', 'rest']])).toBe('covered')
  expect(after('clearing', [['changed', 'rest']])).toBe('covering')
})
