import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AGENT_NAMES, PACKAGES } from '../test/support/agents/installAgents.ts'
import { changed, pinnedIn } from './agentsCheck.mjs'

test('the pinned versions are read from where the tests have them', () => {
  const source = readFileSync(new URL('../test/support/agents/installAgents.ts', import.meta.url), 'utf8')
  expect(pinnedIn(source)).toEqual(AGENT_NAMES.map((agent) => ({ agent, name: PACKAGES[agent].name, version: PACKAGES[agent].version })))
})

test('what a version has more and less than the one before is told line by line', () => {
  const before = { flags: ['--a', '--b'] }
  expect(changed('flags', before, { flags: ['--b', '--c'] })).toEqual(['  flags:', '    + --c', '    - --a'])
  expect(changed('flags', before, before)).toEqual(['  flags: the same'])
})
