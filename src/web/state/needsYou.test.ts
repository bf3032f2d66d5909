import { expect, test } from 'vitest'
import { agentView, type TerminalRow, terminalView } from '../../../test/support/terminalView.ts'
import type { AgentView, TerminalView } from '../../wire/view.ts'
import { nextNeedingYou, wantOf } from './needsYou.ts'

const view = (id: string, changes: Partial<TerminalRow> = {}): TerminalView => terminalView({ id, ...changes })
const agent = (changes: Partial<AgentView>): AgentView => agentView({ name: 'codex', label: 'Codex', ...changes })

test('the jump goes round through all that need the user', () => {
  const all = [view('a', { agent: agent({ since: 2 }) }), view('b', { agent: agent({ since: 1 }) }), view('c')]
  expect([null, 'c', 'b', 'a'].map((focused) => nextNeedingYou(all, focused)?.id)).toEqual(['b', 'b', 'a', 'b'])
  expect(nextNeedingYou([view('c')], 'c')).toBeNull()
})

test('what an agent wants is said in words', () => {
  const wants = (['permission', 'question', null] as const).map((want) => wantOf(view('a', { agent: agent({ wants: want }) })))
  expect(wants).toEqual(['asks for permission', 'asks a question', 'is waiting for you'])
})
