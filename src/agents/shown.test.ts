import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AGENTS, agentNamed } from './programs/all.ts'
import { type AgentState, isAtRest } from './state.ts'

const RECORDED = new URL('../../test/fixtures/agentScreens/', import.meta.url)

type Moment = { readonly name: string; readonly title: string; readonly screen: readonly string[] }

/** A file holds the screens of one agent at one width, each below a line `=== moment | title`. */
function momentsOf(file: string): readonly Moment[] {
  return readFileSync(new URL(file, RECORDED), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [head = '', ...screen] = text.split('\n')
      const [name = '', title = ''] = head.split(' | ')
      return { name, title, screen }
    })
}

const files = readdirSync(RECORDED).filter((name) => name.endsWith('.txt'))

const STATES: Readonly<Record<string, AgentState>> = {
  start: 'idle',
  working: 'working',
  asks: 'needs-you',
  tool: 'working',
  failing: 'working',
  done: 'idle',
  refused: 'idle',
  interrupted: 'idle',
  failed: 'idle',
}

/** What cline does in a conversation is told by its files. */
const FILES_TELL = new Set(['cline'])

const stateAt = (agent: string, { name }: Moment): AgentState | null => {
  const state = STATES[name.split('-')[0] ?? ''] ?? 'unknown'
  return FILES_TELL.has(agent) && name !== 'start' && state !== 'needs-you' ? null : state
}
const shownOf = (agent: string, { title, screen }: Omit<Moment, 'name'>) => agentNamed(AGENTS, agent)!.shown!({ title, screen })

describe.each(files)('the screens of %s', (file) => {
  const agent = file.split('-')[0] ?? ''
  const moments = momentsOf(file)
  const named = (name: string): Moment => moments.find((moment) => moment.name === name)!

  test.each(moments)('show the state: $name', (moment) => {
    expect(shownOf(agent, moment)?.state ?? null).toBe(stateAt(agent, moment))
  })

  test('show what is asked', () => {
    const { wants, words } = shownOf(agent, named('asks')) ?? {}
    expect(wants).toBe(agent === 'pi' ? 'question' : 'permission') // an extension of pi asks what it likes
    expect(words).toMatch(/\?|permission/i)
    expect(words).not.toMatch(/[\u2500-\u259f]/)
  })

  const busy = moments.filter((moment) => !isAtRest(STATES[moment.name.split('-')[0] ?? ''] ?? 'unknown'))
  test.each(busy)('are not mistaken for "$name" when a program printed that', ({ screen: printed }) => {
    const { title, screen } = named('done')
    expect(shownOf(agent, { title, screen: [...printed, ...screen] })?.state ?? null).toBe(stateAt(agent, named('done')))
  })

  test('are read without the title too, or not at all', () => {
    for (const moment of moments) {
      const shown = shownOf(agent, { ...moment, title: '' })?.state ?? null
      if (stateAt(agent, moment) === 'needs-you') expect([moment.name, shown]).toEqual([moment.name, 'needs-you'])
    }
  })
})

test('nothing is made up from an empty screen, or from one that is not the agent’s', () => {
  const shell = ['$ cat notes', 'Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '$']
  for (const agent of AGENTS) {
    expect(agent.shown?.({ title: '', screen: [] }) ?? null, agent.id).toBeNull()
    if (agent.id !== 'claude') expect(agent.shown?.({ title: '', screen: shell }) ?? null, agent.id).toBeNull()
  }
})

test('a title tells where the agent keeps one', () => {
  const titled = (agent: string, title: string) => shownOf(agent, { title, screen: [] })?.state ?? null
  expect(titled('claude', '✳ Claude Code')).toBe('idle')
  expect(titled('claude', '◐ Fix the bug')).toBe('working')
  expect(titled('claude', '⠂ Claude Code')).toBe('working')
  expect(titled('claude', 'vim notes')).toBeNull()
  expect(titled('codex', '⠋ project')).toBe('working')
  expect(titled('codex', '[ ! ] Action Required | project')).toBe('needs-you')
  expect(titled('gemini', '◇  Ready (project)      ')).toBe('idle')
  expect(titled('gemini', '✦  Working… (project)')).toBe('working')
  expect(titled('gemini', '✋  Action Required (project)')).toBe('needs-you')
  expect(titled('qwen', '◐︎ Qwen - project')).toBe('working')
  expect(titled('qwen', '✳︎ Qwen - project')).toBe('needs-you')
  expect(titled('qwen', 'Qwen - project')).toBe('idle')
  expect(titled('opencode', 'OC | Fix the bug')).toBeNull()
})
