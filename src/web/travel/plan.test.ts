import { expect, test } from 'vitest'
import type { TerminalId } from '../../base/ids.ts'
import type { LayoutNode } from '../../workspace/layout/splitTree.ts'
import { planOf } from './plan.ts'

const id = (text: string) => text as TerminalId
const slot = (...terminals: readonly string[]): LayoutNode => ({
  kind: 'slot',
  terminals: terminals.map(id),
  active: id(terminals.at(-1) ?? ''),
})

test('a split is drawn as it is divided, tabs in one place', () => {
  const root: LayoutNode = {
    kind: 'split',
    direction: 'row',
    children: [
      { node: slot('a'), size: 0.25 },
      {
        node: {
          kind: 'split',
          direction: 'column',
          children: [
            { node: slot('b', 'c'), size: 0.5 },
            { node: slot('d'), size: 0.5 },
          ],
        },
        size: 0.75,
      },
    ],
  }
  expect(planOf({ view: 'split', layout: { root, zoomed: null }, canvas: {} })).toEqual({
    tiles: [
      { rect: { x: 0, y: 0, width: 0.25, height: 1 }, terminals: ['a'], active: 'a' },
      { rect: { x: 0.25, y: 0, width: 0.75, height: 0.5 }, terminals: ['b', 'c'], active: 'c' },
      { rect: { x: 0.25, y: 0.5, width: 0.75, height: 0.5 }, terminals: ['d'], active: 'd' },
    ],
    aspect: null,
  })
})

test('a canvas is drawn as far as anything stands on it, in its own proportion', () => {
  const canvas = { a: { x: -100, y: 50, width: 200, height: 100 }, b: { x: 300, y: 150, width: 100, height: 150 } }
  const layout = { root: slot('a', 'b'), zoomed: null }
  expect(planOf({ view: 'canvas', layout, canvas })).toEqual({
    tiles: [
      { rect: { x: 0, y: 0, width: 0.4, height: 0.4 }, terminals: ['a'], active: 'a' },
      { rect: { x: 0.8, y: 0.4, width: 0.2, height: 0.6 }, terminals: ['b'], active: 'b' },
    ],
    aspect: 2,
  })
})

test('a workspace without terminals has nothing to draw', () => {
  expect(planOf({ view: 'canvas', layout: { root: null, zoomed: null }, canvas: {} }).tiles).toEqual([])
})
