import { expect, it } from 'vitest'
import { fidelityPage, fidelityText } from './fidelityTable.mjs'

const score = (exact, picture) => ({ exact, picture })
const report = {
  methods: ['ours', 'ansi', 'stock'],
  features: [
    { name: 'one', exact: [true, false, false], picture: [true, true, false] },
    { name: 'two', exact: [true, true, true], picture: [true, true, true] },
  ],
  recordings: [
    {
      name: 'vim',
      bytes: 2_000,
      cuts: 2_001,
      playedToTheEnd: 2,
      wrong: [
        { at: 7, differences: ['pen'] },
        { at: 7, differences: ['cursor'] },
      ],
      compared: 20,
      scores: { ours: score(20, 20), ansi: score(3, 20), stock: score(1, 9) },
    },
  ],
  unmodelled: ['sixel images'],
  agents: 0,
  stride: 1,
  agentsStride: 1,
  seconds: 3,
}

it('never rounds a score up to all', () => {
  expect(fidelityPage(report)).toContain('| cuts tried | 2000 of 2001 (99.9 %) |')
  expect(fidelityPage(report)).toContain('| features exact | 2 of 2 (100 %) | 1 of 2 (50 %) | 1 of 2 (50 %) |')
})

it('tells apart what comes back exactly, to the eye only, and not at all', () => {
  expect(fidelityPage(report)).toContain('| one | yes | picture only | **no** |')
  expect(fidelityPage(report)).toContain('| vim | 2000 | 2000 of 2001 | 2 | 20 / 20 of 20 | 3 / 20 of 20 | 1 / 9 of 20 |')
})

it('says where it went wrong, and what was not tried', () => {
  expect(fidelityText(report)).toContain('vim at 7: pen')
  expect(fidelityText(report)).toContain('The recordings of agents were not at hand.')
  expect(fidelityPage({ ...report, stride: 997 })).toContain('Here one cut in 997 was tried.')
  expect(fidelityPage({ ...report, agents: 3, agentsStride: 53 })).toContain("Of the agents' recordings one cut in 53 was tried.")
})
