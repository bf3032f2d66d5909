import { expect, test } from 'vitest'
import { agentView, type TerminalRow, terminalView } from '../../../test/support/terminalView.ts'
import type { AgentView, TerminalView } from '../../wire/view.ts'
import { needingYou } from '../state/needsYou.ts'
import { dockGroups, dropFor, dropIndex, filterRows, placeOf, stepIndex } from './dockRows.ts'

const app = { root: '/home/mia/app', name: 'app' }
const lib = { root: '/home/mia/lib', name: 'lib' }
const view = (id: string, changes: Partial<TerminalRow> = {}): TerminalView => terminalView({ id, ...changes })
const agent = (changes: Partial<AgentView>): AgentView => agentView({ name: 'codex', label: 'Codex', ...changes })
const shape = (terminals: readonly TerminalView[]) => dockGroups(terminals).map(({ name, terminals: rows }) => `${name}: ${rows.join(' ')}`)

test('rows stand in groups, in the order of the dock, pinned ones on top', () => {
  const all = [view('a'), view('b', { project: app }), view('c', { project: lib, pinned: true }), view('d'), view('e', { project: app })]
  expect(shape(all)).toEqual(['Pinned: c', 'Not in a repository: a d', 'app: b e'])
  expect(shape([])).toEqual([])
})

test('repositories of one name are different groups', () => {
  const other = { root: '/srv/app', name: 'app' }
  expect(shape([view('a', { project: app }), view('b', { project: other })])).toEqual(['app: a', 'app: b'])
})

test('what an agent does moves no row, only the strip shows it, the longest waiting first', () => {
  const calm = [view('a'), view('b'), view('c')]
  const busy = [
    view('a', { agent: agent({ since: 20 }) }),
    view('b', { agent: agent({ state: 'done' }) }),
    view('c', { agent: agent({ since: 10 }) }),
  ]
  expect(shape(busy)).toEqual(shape(calm))
  expect(needingYou(busy).map(({ id }) => id)).toEqual(['c', 'a'])
  expect(needingYou([view('a', { state: 'asleep', agent: agent({}) })])).toEqual([])
})

test('a row that is dropped goes exactly there, counted without itself', () => {
  const dock = ['a', 'b', 'c']
  const after = (terminal: string, drop: Parameters<typeof dropIndex>[2]) => {
    const index = dropIndex(dock, terminal, drop)
    return index === null
      ? null
      : dock
          .filter((id) => id !== terminal)
          .toSpliced(index, 0, terminal)
          .join('')
  }
  expect(after('a', { target: 'c', side: 'after' })).toBe('bca')
  expect(after('a', { target: 'c', side: 'before' })).toBe('bac')
  expect(after('c', { target: 'a', side: 'before' })).toBe('cab')
  expect(after('a', { target: 'b', side: 'before' })).toBeNull()
  expect(after('a', { target: 'a', side: 'after' })).toBeNull()
  expect(after('a', { target: 'gone', side: 'after' })).toBeNull()
})

test('a step stays within the group, past rows of other groups in the dock', () => {
  const all = [view('a', { project: app }), view('x'), view('b', { project: app })]
  const dock = all.map(({ id }) => id)
  expect(stepIndex(dockGroups(all), dock, { terminal: 'a', step: 1 })).toBe(2)
  expect(stepIndex(dockGroups(all), dock, { terminal: 'b', step: -1 })).toBe(0)
  expect(stepIndex(dockGroups(all), dock, { terminal: 'b', step: 1 })).toBeNull()
  expect(stepIndex(dockGroups(all), dock, { terminal: 'a', step: -1 })).toBeNull()
})

test('every word of the filter must fit something that the row shows', () => {
  const all = [view('a', { name: 'Server', project: app }), view('b', { name: 'server', directory: '/srv/x' })]
  expect(filterRows(all, 'SERV app').map(({ id }) => id)).toEqual(['a'])
  expect(filterRows(all, ' ').length).toBe(2)
  expect(filterRows(all, 'nothing')).toEqual([])
})

test('a place is said as short as it can be beside the heading of its group', () => {
  const repository = { root: app.root, name: 'app', branch: 'main', worktree: null }
  expect(placeOf(view('a', { project: app, repository, directory: '/home/mia/app' }))).toBe('main')
  expect(placeOf(view('a', { project: app, repository, directory: '/home/mia/app/web/ui' }))).toBe('main · web/ui')
  expect(placeOf(view('a', { project: app, repository: null, directory: '/home/mia/application' }))).toBe('~/application')
  expect(placeOf(view('a', { directory: '/home/mia' }))).toBe('~')
})

const boxes = [
  { id: 'a', top: 0, bottom: 40 },
  { id: 'b', top: 40, bottom: 80 },
]

test('a dragged row goes before or after the row it is over, and to the nearest one from outside', () => {
  expect([10, 30, 50, 70, 500, -20].map((y) => dropFor(boxes, y))).toEqual([
    { target: 'a', side: 'before' },
    { target: 'a', side: 'after' },
    { target: 'b', side: 'before' },
    { target: 'b', side: 'after' },
    { target: 'b', side: 'after' },
    { target: 'a', side: 'before' },
  ])
  expect(dropFor([], 10)).toBeNull()
})
