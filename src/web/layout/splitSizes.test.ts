import { expect, it } from 'vitest'
import type { TerminalId } from '../../base/ids.ts'
import { insert, type Layout } from '../../workspace/layout/layout.ts'
import { equalSizes, grown, keyOf } from './splitSizes.ts'

const id = (name: string) => name as TerminalId
const put = (layout: Layout, terminal: string, at: string, where: 'right' | 'bottom' | 'center') =>
  insert(layout, { terminal: id(terminal), at: id(at), where })
const alone = insert({ root: null, zoomed: null }, { terminal: id('a') })
/** a | (b over c) */
const layout = put(put(alone, 'b', 'a', 'right'), 'c', 'b', 'bottom')

it('gives a terminal more room in the innermost split of that direction', () => {
  expect(grown(layout, 'a', { direction: 'row', by: 1 })).toEqual({ path: [], sizes: [0.55, 0.45] })
  expect(grown(layout, 'c', { direction: 'column', by: -1 })).toEqual({ path: [1], sizes: [0.55, 0.45] })
  expect(grown(layout, 'c', { direction: 'row', by: 1 })).toEqual({ path: [], sizes: [0.45, 0.55] })
})

it('gives none where nothing stands beside it, or where the other one would vanish', () => {
  expect(grown(layout, 'a', { direction: 'column', by: 1 })).toBeNull()
  expect(grown(alone, 'a', { direction: 'row', by: 1 })).toBeNull()
  expect(grown({ root: null, zoomed: null }, 'a', { direction: 'row', by: 1 })).toBeNull()
  const least: Layout = {
    ...layout,
    root:
      layout.root?.kind === 'split'
        ? { ...layout.root, children: layout.root.children.map((child, at) => ({ ...child, size: [0.95, 0.05][at] ?? 0 })) }
        : null,
  }
  expect(grown(least, 'a', { direction: 'row', by: 1 })).toBeNull()
})

it('knows a part of a split by its first terminal, whatever is added to it', () => {
  const key = (where: Layout) => (where.root === null ? '' : keyOf(where.root))
  expect([key(alone), key(layout), key(put(alone, 'b', 'a', 'center'))]).toEqual(['a', 'a', 'a'])
})

it('shares equally', () => {
  expect(equalSizes(4)).toEqual([0.25, 0.25, 0.25, 0.25])
})
