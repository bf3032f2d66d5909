import { describe, expect, it } from 'vitest'
import type { TerminalId } from '../../base/ids.ts'
import { insert, type Layout, move } from '../../workspace/layout/layout.ts'
import { previewOf, wouldMove, zoneAt } from './dropZone.ts'

const tile = { x: 100, y: 50, width: 400, height: 200 }
const id = (name: string) => name as TerminalId

describe('the zones of a tile', () => {
  it('are its four edges and its middle', () => {
    expect(zoneAt(tile, { x: 110, y: 150 })).toBe('left')
    expect(zoneAt(tile, { x: 490, y: 150 })).toBe('right')
    expect(zoneAt(tile, { x: 300, y: 60 })).toBe('top')
    expect(zoneAt(tile, { x: 300, y: 240 })).toBe('bottom')
    expect(zoneAt(tile, { x: 300, y: 150 })).toBe('center')
  })

  it('meet in the corners, where the nearer edge counts in proportion to the tile', () => {
    expect(zoneAt(tile, { x: 104, y: 60 })).toBe('left')
    expect(zoneAt(tile, { x: 130, y: 52 })).toBe('top')
  })

  it('are shown as what would be taken: a half, or all of it', () => {
    expect(previewOf(tile, 'left')).toEqual({ x: 100, y: 50, width: 200, height: 200 })
    expect(previewOf(tile, 'right')).toEqual({ x: 300, y: 50, width: 200, height: 200 })
    expect(previewOf(tile, 'top')).toEqual({ x: 100, y: 50, width: 400, height: 100 })
    expect(previewOf(tile, 'bottom')).toEqual({ x: 100, y: 150, width: 400, height: 100 })
    expect(previewOf(tile, 'center')).toEqual(tile)
  })
})

describe('a drop', () => {
  let row: Layout = insert({ root: null, zoomed: null }, { terminal: id('a') })
  for (const [terminal, at] of [
    ['b', 'a'],
    ['c', 'b'],
  ] as const)
    row = insert(row, { terminal: id(terminal), at: id(at), where: 'right' })
  const drop = (layout: Layout, terminal: string, target: string, where: Parameters<typeof previewOf>[1]) =>
    wouldMove(layout, { terminal, target, where })

  it('moves a terminal to where it was not', () => {
    expect(drop(row, 'a', 'b', 'right')).toBe(true)
    expect(drop(row, 'a', 'b', 'top')).toBe(true)
    expect(drop(row, 'a', 'c', 'center')).toBe(true)
  })

  it('moves nothing at its own place: on itself, or at the near edge of its neighbour', () => {
    expect(drop(row, 'a', 'a', 'center')).toBe(false)
    expect(drop(row, 'a', 'a', 'right')).toBe(false)
    expect(drop(row, 'a', 'b', 'left')).toBe(false)
    expect(drop(row, 'b', 'a', 'right')).toBe(false)
  })

  it('takes a tab out of its slot, to an edge of that very slot', () => {
    const tabs = move(row, { terminal: id('a'), target: id('b'), where: 'center' })
    expect(drop(tabs, 'a', 'a', 'left')).toBe(true)
    expect(drop(tabs, 'a', 'a', 'center')).toBe(false)
  })

  it('may come from another workspace, but goes beside nothing that is not there', () => {
    expect(drop(row, 'x', 'a', 'left')).toBe(true)
    expect(drop(row, 'a', 'x', 'left')).toBe(false)
  })
})
