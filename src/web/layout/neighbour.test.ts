import { describe, expect, it } from 'vitest'
import type { TerminalId } from '../../base/ids.ts'
import type { Edge, Layout, LayoutNode } from '../../workspace/layout/layout.ts'
import { neighbourToward, tileToward } from './neighbour.ts'

const slot = (...names: string[]): LayoutNode => ({ kind: 'slot', terminals: names as TerminalId[], active: names.at(-1) as TerminalId })
const split =
  (direction: 'row' | 'column') =>
  (...parts: readonly [LayoutNode, number][]): LayoutNode => ({
    kind: 'split',
    direction,
    children: parts.map(([node, size]) => ({ node, size })),
  })
const [row, column] = [split('row'), split('column')]
const toward = (root: LayoutNode, from: string): Record<Edge, string | null> => {
  const layout: Layout = { root, zoomed: null }
  return {
    left: neighbourToward(layout, from, 'left'),
    right: neighbourToward(layout, from, 'right'),
    top: neighbourToward(layout, from, 'top'),
    bottom: neighbourToward(layout, from, 'bottom'),
  }
}

describe('in the split view', () => {
  const grid = column([row([slot('a'), 0.5], [slot('b'), 0.5]), 0.5], [row([slot('c'), 0.5], [slot('d'), 0.5]), 0.5])

  it('goes to what is straight ahead, and nowhere beyond the edge', () => {
    expect(toward(grid, 'a')).toEqual({ left: null, right: 'b', top: null, bottom: 'c' })
    expect(toward(grid, 'd')).toEqual({ left: 'c', right: null, top: 'b', bottom: null })
  })

  it('goes to the front of a slot, from any of its tabs', () => {
    const tabs = row([slot('a', 'b'), 0.5], [slot('c', 'd'), 0.5])
    expect(neighbourToward({ root: tabs, zoomed: null }, 'a', 'right')).toBe('d')
    expect(neighbourToward({ root: tabs, zoomed: null }, 'c', 'left')).toBe('b')
  })

  it('takes the one whose middle is nearer where several are beside it', () => {
    const uneven = row([column([slot('a'), 0.3], [slot('b'), 0.7]), 0.5], [column([slot('c'), 0.5], [slot('d'), 0.5]), 0.5])
    expect([toward(uneven, 'a').right, toward(uneven, 'b').right, toward(uneven, 'c').left]).toEqual(['c', 'd', 'a'])
  })

  it('does not take what is below for what is on the right, however far to the right it is', () => {
    const below = column([row([slot('a'), 0.5], [slot('b'), 0.5]), 0.5], [row([slot('c'), 0.8], [slot('d'), 0.2]), 0.5])
    expect([toward(below, 'b').right, toward(below, 'b').bottom]).toEqual([null, 'd'])
  })

  it('knows no neighbours of a terminal that is not there', () => {
    expect(toward(grid, 'x')).toEqual({ left: null, right: null, top: null, bottom: null })
    expect(neighbourToward({ root: null, zoomed: null }, 'a', 'left')).toBeNull()
  })
})

describe('on the canvas', () => {
  const at = (x: number, y: number) => ({ x, y, width: 100, height: 100 })

  it('goes to the nearest tile on that side, and prefers one that is straight ahead', () => {
    const canvas = { a: at(0, 0), b: at(300, 0), c: at(150, 120), d: at(0, 400) }
    expect(tileToward(canvas, 'a', 'right')).toBe('c')
    expect(tileToward({ ...canvas, c: at(150, 260) }, 'a', 'right')).toBe('b')
    expect(tileToward(canvas, 'a', 'bottom')).toBe('c')
    expect(tileToward(canvas, 'd', 'top')).toBe('a')
    expect(tileToward(canvas, 'a', 'left')).toBeNull()
  })

  it('finds tiles that lie on each other', () => {
    expect(tileToward({ a: at(0, 0), b: at(40, 10) }, 'a', 'right')).toBe('b')
    expect(tileToward({ a: at(0, 0), b: at(40, 10) }, 'b', 'left')).toBe('a')
  })

  it('knows no neighbours of a tile that is not there', () => {
    expect(tileToward({}, 'a', 'left')).toBeNull()
  })
})
