import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AGENTS, agentNamed } from './all.ts'
import type { AgentState } from './state.ts'

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

const stateAt = ({ name }: Moment): AgentState => STATES[name.split('-')[0] ?? ''] ?? 'unknown'
const shownBy = (agent: string, { title, screen }: Omit<Moment, 'name'>) => agentNamed(AGENTS, agent)!.shown!({ title, screen })

describe.each(files)('as recorded in %s', (file) => {
  const agent = file.split('-')[0] ?? ''
  test.each(momentsOf(file))('$name', (moment) => {
    expect(shownBy(agent, moment)?.state ?? null).toBe(stateAt(moment))
  })
})
