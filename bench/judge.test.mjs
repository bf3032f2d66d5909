import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judge } from './judge.mjs'
import { renderTable } from './table.mjs'

const row = { figure: 'x', label: 'a figure', unit: 'ms', peerName: 'peer', holdfast: [2, 30, 4], peer: [1, 2, 4] }

test('the ratio is that of the medians, the spread that of rounds measured next to each other', () => {
  const { median, spread } = judge(row, undefined)
  expect(median).toEqual({ holdfast: 4, peer: 2, ratio: 2 })
  expect(spread).toEqual([1, 15])
})

test.each([
  [{ ratio: { most: 2 } }, true],
  [{ ratio: { most: 1.9 } }, false],
  [{ ratio: { least: 2 } }, true],
  [{ ratio: { least: 2.1 } }, false],
  [{ value: { most: 4 } }, true],
  [{ value: { most: 3.9 } }, false],
  [undefined, null],
])('against the budget %j it is met: %s', (budget, expected) => {
  expect(judge(row, budget).isMet).toBe(expected)
})

test('without a peer a ratio is neither met nor missed, and a value is still judged', () => {
  expect(judge({ ...row, peer: [] }, { ratio: { most: 1 } }).isMet).toBe(null)
  expect(judge({ ...row, peer: [] }, { value: { most: 5 } }).isMet).toBe(true)
})

test('every budget bounds a ratio or a value from one side', () => {
  const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'))
  for (const budget of Object.values(budgets)) {
    const [[kind, bound], ...more] = Object.entries(budget)
    expect([more.length, Object.keys(bound).length]).toEqual([0, 1])
    expect(['ratio', 'value']).toContain(kind)
    expect(bound.most ?? bound.least).toBeTypeOf('number')
  }
})

test('the table shows both sides, the ratio, the budget and whether it is met', () => {
  const text = renderTable([judge(row, { ratio: { most: 1.5 } })])
  expect(text.split('\n')[2]).toMatch(/^a figure +4 ms +2 ms +peer +2× +1×–15× +≤ 1\.5× +MISSED$/)
})
