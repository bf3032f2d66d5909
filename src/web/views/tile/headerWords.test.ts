import { expect, it } from 'vitest'
import { agentView, terminalView } from '../../../../test/support/terminalView.ts'
import { newsOf, shortDirectory, stateOf, whereInFull, whereOf } from './headerWords.ts'

const agent = agentView()

it('shows how the agent does while the terminal lives, and why it does not live otherwise', () => {
  expect(stateOf(terminalView({ state: 'live', agent }), 0)).toMatchObject({ mark: 'warning', state: 'Claude Code · needs you' })
  expect(stateOf(terminalView({ state: 'live', agent: null }), 0)).toEqual({ mark: 'live', state: 'Live' })
  expect(stateOf(terminalView({ state: 'asleep', because: { kind: 'slept' }, agent: null }), 0).mark).toBe('asleep')
  expect(newsOf(terminalView({ state: 'live', agent: null }), 0)).toBeNull()
})

it('shows the end of a long path', () => {
  expect(['/root', '/home/x/a/b', '/home/x/a/b/c/d', '/var/log', '/'].map(shortDirectory)).toEqual(['~', '~/a/b', '…/c/d', '/var/log', '/'])
})

it('says the branch before the directory, and everything in full', () => {
  const repository = { root: '/r', name: 'r', branch: 'main', worktree: 'fix' }
  const there = terminalView({ directory: '/root/r', repository, command: '/bin/zsh', args: [], foreground: null })
  expect(whereOf(there)).toBe('main · ~/r')
  expect(whereOf(terminalView({ directory: '/root/r', private: true }))).toBe('private · ~/r')
  expect(whereInFull(there)).toBe('zsh\n~/r\nr on main, worktree fix')
})
