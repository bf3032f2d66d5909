import { expect, test } from 'vitest'
import { cyclesIn, loopThrough } from './cycles.mjs'

/** `a>b c` means that a points to b and to c. */
const graph = (text) => new Map(text.split('\n').map((line) => [line[0], new Set(line.slice(2).split(' ').filter(Boolean))]))

test('names that only point down are in no cycle', () => {
  expect(cyclesIn(graph('a>b c\nb>c\nc>'))).toEqual([])
})

test('every name that reaches itself through others is in one cycle with them', () => {
  expect(cyclesIn(graph('a>b\nb>c\nc>b d\nd>e\ne>c f\nf>'))).toEqual([['b', 'c', 'd', 'e']])
})

test('cycles of which one points to the other stay apart, the largest first', () => {
  const apart = [
    ['c', 'd', 'e'],
    ['a', 'b'],
  ]
  expect(cyclesIn(graph('a>b\nb>a c\nc>d\nd>e\ne>c'))).toEqual(apart)
  expect(cyclesIn(graph('c>d\nd>e\ne>c\na>b\nb>a c'))).toEqual(apart)
})

test('the order in which names are visited does not matter', () => {
  const lines = ['a>b', 'b>c', 'c>a d', 'd>e', 'e>d c']
  for (let turn = 0; turn < lines.length; turn += 1) {
    lines.push(lines.shift())
    expect(cyclesIn(graph(lines.join('\n')))).toEqual([['a', 'b', 'c', 'd', 'e']])
  }
})

test('the way back that is shown is the shortest', () => {
  const names = graph('a>b e\nb>c\nc>d\nd>a\ne>a')
  expect(loopThrough('a', names)).toEqual(['a', 'e', 'a'])
  expect(loopThrough('c', names)).toEqual(['c', 'd', 'a', 'b', 'c'])
})
