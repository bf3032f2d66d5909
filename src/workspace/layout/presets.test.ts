import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import type { TerminalId } from '../../base/ids.ts'
import { emptyLayout, type Layout, type LayoutNode, terminalsOf, zoom } from './layout.ts'
import { layoutFault } from './normalForm.ts'
import { PRESETS, preset } from './presets.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ids = Array.from(LETTERS, (_, at) => terminalId(at + 1))
const letterOf = (id: TerminalId): string => LETTERS[ids.indexOf(id)] ?? '?'

/** So many terminals, all of them tabs of one slot. */
function layoutOf(count: number): Layout {
  const [active, ...others] = ids.slice(0, count)
  return active === undefined ? emptyLayout : { root: { kind: 'slot', terminals: [active, ...others], active }, zoomed: null }
}

/** A picture: `row(a | b* c)`; the star is the tab in front. */
function picture(node: LayoutNode | null): string {
  if (node === null) return 'empty'
  if (node.kind === 'split') return `${node.direction}(${node.children.map((child) => picture(child.node)).join(' | ')})`
  return node.terminals.map((id) => `${letterOf(id)}${id === node.active && node.terminals.length > 1 ? '*' : ''}`).join(' ')
}
const shown = (count: number, slots: (typeof PRESETS)[number]): string => picture(preset(layoutOf(count), slots).root)

describe('a preset', () => {
  test.each([
    [1, 'a'],
    [2, 'row(a | b)'],
    [3, 'row(a | column(b | c))'],
    [4, 'column(row(a | b) | row(c | d))'],
    [6, 'column(row(a | b | c) | row(d | e | f))'],
    [9, 'column(row(a | b | c) | row(d | e | f) | row(g | h | i))'],
  ] as const)('of %i gives each its slot', (slots, expected) => expect(shown(slots, slots)).toBe(expected))

  test('lets those beyond share the last slot as tabs', () => {
    expect(shown(4, 1)).toBe('a* b c d')
    expect(shown(5, 3)).toBe('row(a | column(b | c* d e))')
  })

  test('leaves out slots that nobody fills', () => {
    expect(shown(0, 9)).toBe('empty')
    expect(shown(1, 9)).toBe('a')
    expect(shown(2, 3)).toBe('row(a | b)')
    expect(shown(5, 9)).toBe('column(row(a | b | c) | row(d | e))')
  })

  test('shares the room evenly and shows all of them again', () => {
    const { root, zoomed } = preset(zoom(layoutOf(6), terminalId(2)), 6)
    expect(zoomed).toBeNull()
    const sizes = root?.kind === 'split' ? root.children.map(({ size }) => size) : []
    expect(sizes).toEqual([0.5, 0.5])
  })

  test('loses nobody, keeps the order and is in normal form, however many there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.constantFrom(...PRESETS), (count, slots) => {
        const before = layoutOf(count)
        const after = preset(before, slots)
        expect(terminalsOf(after)).toEqual(terminalsOf(before))
        expect(layoutFault(after)).toBeNull()
      }),
    )
  })
})
