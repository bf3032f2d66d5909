import { describe, expect, it } from 'vitest'
import { terminalView } from '../../../../test/support/terminalView.ts'
import type { TerminalId } from '../../../base/ids.ts'
import type { WorkspaceView } from '../../../wire/topologyView.ts'
import type { AgentView } from '../../../wire/view.ts'
import { countsOf, countsText, freeName, goalAt, type TabPlace } from './workspaceTabs.ts'

const workspace = (name: string, ...terminals: string[]): WorkspaceView => ({
  id: name,
  name,
  view: 'split',
  layout: { root: { kind: 'slot', terminals: terminals as TerminalId[], active: terminals[0] as TerminalId }, zoomed: null },
  canvas: {},
})
const asking = { state: 'needs-you' } as AgentView

it('counts who waits for somebody, and else who has something new, in this workspace alone', () => {
  const terminals = [
    terminalView({ id: 'a', agent: asking, unread: true }),
    terminalView({ id: 'b', unread: true }),
    terminalView({ id: 'c' }),
    terminalView({ id: 'x', unread: true }),
  ]
  expect(countsOf(workspace('w', 'a', 'b', 'c'), terminals)).toEqual({ needsYou: 1, unread: 1 })
})

it('says the counts in words', () => {
  const said = [
    { needsYou: 1, unread: 0 },
    { needsYou: 2, unread: 3 },
    { needsYou: 0, unread: 0 },
  ].map(countsText)
  expect(said).toEqual(['1 needs you', '2 need you, 3 unread', ''])
})

it('proposes a name that is free', () => {
  const group = (...names: string[]) => ({ id: 'g', name: 'g', color: 'blue', workspaces: names.map((name) => workspace(name)) })
  expect([freeName([group('main')]), freeName([group('main', 'workspace 3')]), freeName([])]).toEqual([
    'workspace 2',
    'workspace 4',
    'workspace 1',
  ])
})

describe('a workspace that is dragged', () => {
  const places: readonly TabPlace[] = [
    { workspace: 'a', group: 'g', left: 0, width: 100 },
    { workspace: 'b', group: 'g', left: 100, width: 100 },
    { workspace: 'c', group: 'h', left: 220, width: 100 },
  ]

  it('goes before or after the tab under the pointer', () => {
    expect(goalAt(places, 'a', 190)).toEqual({ group: 'g', index: 1, x: 200 })
    expect(goalAt(places, 'b', 20)).toEqual({ group: 'g', index: 0, x: 0 })
    expect(goalAt(places, 'b', -50)).toEqual({ group: 'g', index: 0, x: 0 })
  })

  it('goes into another group', () => {
    expect(goalAt(places, 'a', 230)).toEqual({ group: 'h', index: 0, x: 220 })
    expect(goalAt(places, 'a', 900)).toEqual({ group: 'h', index: 1, x: 320 })
  })

  it('stays where it is beside itself', () => {
    expect([goalAt(places, 'a', 30), goalAt(places, 'a', 120), goalAt(places, 'b', 90), goalAt([], 'a', 0)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})
