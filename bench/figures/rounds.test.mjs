import { expect, test } from 'vitest'
import { pause } from '../lab/clock.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'

test('there are as many rounds as asked for where time allows', () => {
  expect([...roundsWithin(10, 3)]).toEqual([0, 1, 2])
})

test('no round begins that would end too late, but one is always made', () => {
  const made = []
  for (const round of roundsWithin(0.05, 10)) {
    made.push(round)
    pause(30)
  }
  expect(made).toEqual([0])
})

test('every side is the first in its turn', () => {
  expect([0, 1, 2].map((round) => inTurn(['a', 'b'], round))).toEqual([
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
  ])
})

test('a row holds both sides of a figure, round by round', () => {
  const rounds = new Rounds()
  for (const value of [1, 2]) rounds.add('holdfast', 'x', value)
  rounds.add('tmux', 'x', 3)
  expect(rounds.row({ figure: 'x', label: 'X', unit: 'ms', peerName: 'tmux' })).toMatchObject({ holdfast: [1, 2], peer: [3] })
})
