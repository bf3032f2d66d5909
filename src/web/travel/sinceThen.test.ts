import { expect, test } from 'vitest'
import type { TerminalId } from '../../base/ids.ts'
import type { TopologyView } from '../../wire/topologyView.ts'
import type { Difference, ShownDiff } from '../../workspace/checkpoint/checkpointDiff.ts'
import { emptyLayout, insert, type Where } from '../../workspace/layout/layout.ts'
import { sinceThen } from './sinceThen.ts'

type Put = readonly [terminal: string, at?: string, where?: Where]

const topology = (...puts: readonly Put[]): TopologyView => {
  const layout = puts.reduce(
    (before, [terminal, at, where]) =>
      insert(before, { terminal: terminal as TerminalId, ...(at && { at: at as TerminalId }), ...(where && { where }) }),
    emptyLayout,
  )
  return {
    groups: [{ id: 'g', name: 'g', color: 'blue', workspaces: [{ id: 'w', name: 'main', view: 'split', layout, canvas: {} }] }],
    dock: [],
  }
}
const differs = (id: string, { moves = [], changes = [] }: { moves?: readonly Difference[]; changes?: readonly Difference[] }) =>
  ({ id, name: id, kind: 'differs', moves, changes }) as const
const diff = (...terminals: ShownDiff['terminals']): ShownDiff => ({ terminals, workspaces: [], groups: [] })
const none = topology()
const words = (...changes: readonly Difference[]) => sinceThen(diff(differs('a', { changes })), none, none).lines[0]?.words
const slotMove = { what: 'slot', from: 'x', to: 'y' }

test('what went, came, moved and changed is told in this order, and marked', () => {
  const { lines, marks, notes } = sinceThen(
    diff(
      differs('changed', { changes: [{ what: 'pinned', from: 'false', to: 'true' }] }),
      differs('moved', {
        moves: [
          { what: 'workspace', from: 'A', to: 'B' },
          { what: 'canvas', from: '1', to: '2' },
        ],
      }),
      { id: 'new', name: 'new', kind: 'appeared', workspace: 'A' },
      { id: 'gone', name: 'gone', kind: 'went', workspace: 'B' },
    ),
    none,
    none,
  )
  expect(lines.map(({ mark, words: told }) => [mark, told])).toEqual([
    ['gone', 'was in B'],
    ['new', 'in A'],
    ['moved', 'from A to B'],
    ['changed', 'pinned'],
  ])
  expect([...marks.keys()].sort()).toEqual(['changed', 'gone', 'moved', 'new'])
  expect(notes).toEqual([])
})

test('one that goes makes room, and moves nobody', () => {
  const then = topology(['a'], ['b', 'a', 'right'], ['c', 'b', 'bottom'])
  const gone = { id: 'c', name: 'c', kind: 'went', workspace: 'main' } as const
  const wider = diff(gone, differs('b', { moves: [slotMove] }))
  expect(sinceThen(wider, then, topology(['a'], ['b', 'a', 'right'])).lines.map(({ id }) => id)).toEqual(['c'])
  const swapped = diff(gone, differs('a', { moves: [slotMove] }), differs('b', { moves: [slotMove] }))
  const { marks } = sinceThen(swapped, then, topology(['b'], ['a', 'b', 'right']))
  expect([marks.get('a'), marks.get('b')]).toEqual(['moved', 'moved'])
})

test('changes are told in words, and what follows from another is left out', () => {
  const state = { what: 'state', from: '{"state":"live"}', to: '{"because":{"kind":"slept"},"state":"asleep"}' }
  expect(words(state, { what: 'run', from: '{}', to: '{}' }, { what: 'agent', from: '{}', to: '{}' })).toBe('was running, is asleep')
  expect(words({ ...state, to: '{"because":{"kind":"exited"},"state":"asleep"}' })).toBe('was running, is ended')
  expect(words({ what: 'run', from: '{}', to: '{}' })).toBe('program restarted')
  expect(words({ what: 'name', from: 'old', to: 'a' }, { what: 'cwd', from: '/home/mia/x', to: '/srv' })).toBe(
    'was called “old”; was in ~/x, is in /srv',
  )
})

test('that screens or the dock are others is said once, and marks nobody', () => {
  const screen = { what: 'screen', from: '1', to: '2' }
  const dock = { what: 'dock', from: '1', to: '2' }
  const found = sinceThen(diff(differs('a', { changes: [screen] }), differs('b', { changes: [screen], moves: [dock] })), none, none)
  expect(found).toMatchObject({ lines: [], notes: ['2 terminals have new output.', 'The order of the dock changed.'] })
  expect(found.marks.size).toBe(0)
})

test('workspaces and groups are told of too', () => {
  const things: ShownDiff = {
    terminals: [],
    workspaces: [
      { id: 'w', name: 'side', kind: 'appeared' },
      { id: 'v', name: 'main', kind: 'differs', changes: [{ what: 'layout', from: '{}', to: '{}' }] },
    ],
    groups: [{ id: 'g', name: 'work', kind: 'went' }],
  }
  expect(sinceThen(things, none, none).lines.map(({ mark, name, words: told }) => [mark, name, told])).toEqual([
    ['new', 'workspace side', ''],
    ['changed', 'workspace main', 'layout changed'],
    ['gone', 'group work', ''],
  ])
})
