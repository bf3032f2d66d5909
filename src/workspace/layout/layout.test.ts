import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import type { TerminalId } from '../../base/ids.ts'
import {
  activate,
  balance,
  close,
  emptyLayout,
  insert,
  type Layout,
  type LayoutNode,
  move,
  setSizes,
  terminalsOf,
  unzoom,
  type Where,
  zoom,
} from './layout.ts'
import { layoutFault, normalise } from './normalForm.ts'

const [a, b, c, d] = [terminalId(1), terminalId(2), terminalId(3), terminalId(4)] as const
const names = new Map([a, b, c, d].map((id, index) => [id, 'abcd'[index]]))

/** A picture: `row(a 0.5 | b* c 0.5)`; the star is the tab in front of its slot. */
function picture(node: LayoutNode | null): string {
  if (node === null) return 'empty'
  if (node.kind === 'split')
    return `${node.direction}(${node.children.map((child) => `${picture(child.node)} ${round(child.size)}`).join(' | ')})`
  return node.terminals.map((id) => `${names.get(id)}${id === node.active && node.terminals.length > 1 ? '*' : ''}`).join(' ')
}
const round = (size: number) => Math.round(size * 1000) / 1000
const shown = (layout: Layout) => picture(layout.root)

const one = insert(emptyLayout, { terminal: a })
const two = insert(one, { terminal: b, at: a, where: 'right' })

describe('splitting', () => {
  test('the first terminal takes everything', () => expect(shown(one)).toBe('a'))

  test('halves a slot towards the chosen side', () => {
    expect(shown(two)).toBe('row(a 0.5 | b 0.5)')
    expect(shown(insert(one, { terminal: b, at: a, where: 'top' }))).toBe('column(b 0.5 | a 0.5)')
  })

  test('in the same direction joins the row, in the other one nests', () => {
    expect(shown(insert(two, { terminal: c, at: a, where: 'right' }))).toBe('row(a 0.25 | c 0.25 | b 0.5)')
    expect(shown(insert(two, { terminal: c, at: b, where: 'top' }))).toBe('row(a 0.5 | column(c 0.5 | b 0.5) 0.5)')
  })
})

test('without a place, or at one that is gone, a terminal splits the roomiest slot along its longer side', () => {
  const three = insert(two, { terminal: c })
  expect(shown(three)).toBe('row(column(a 0.5 | c 0.5) 0.5 | b 0.5)')
  expect(insert(two, { terminal: c, at: d, where: 'left' })).toEqual(three)
  expect(shown(insert(three, { terminal: d }))).toBe('row(column(a 0.5 | c 0.5) 0.5 | column(b 0.5 | d 0.5) 0.5)')
})

test('a terminal that is there already is not inserted again', () => {
  expect(insert(two, { terminal: a })).toBe(two)
  expect(insert(two, { terminal: a, at: b, where: 'right' })).toBe(two)
})

describe('moving', () => {
  const tabs = insert(two, { terminal: c, at: b, where: 'center' })

  test('to the center makes a tab in front, after the one it was dropped on', () => expect(shown(tabs)).toBe('row(a 0.5 | b c* 0.5)'))

  test('to an edge splits the target', () => {
    expect(shown(move(tabs, { terminal: c, target: a, where: 'top' }))).toBe('row(column(c 0.5 | a 0.5) 0.5 | b 0.5)')
  })

  test('to an edge of its own slot takes a tab out of it', () => {
    expect(shown(move(tabs, { terminal: c, target: c, where: 'left' }))).toBe('row(a 0.5 | c 0.25 | b 0.25)')
  })

  test('onto itself changes nothing', () => {
    expect(move(tabs, { terminal: a, target: a, where: 'left' })).toBe(tabs)
    expect(move(tabs, { terminal: c, target: c, where: 'center' })).toBe(tabs)
  })

  test('keeps the zoom', () => expect(move(zoom(two, a), { terminal: a, target: b, where: 'bottom' }).zoomed).toBe(a))
})

describe('closing', () => {
  test('gives the room to the others', () => {
    const three = insert(two, { terminal: c, at: a, where: 'right' })
    expect(shown(close(three, b))).toBe('row(a 0.5 | c 0.5)')
    expect(shown(close(two, a))).toBe('b')
    expect(close(one, a)).toEqual(emptyLayout)
  })

  test('brings the next tab to the front, or else the one before', () => {
    const tabs = [b, c].reduce((layout, terminal) => insert(layout, { terminal, at: a, where: 'center' }), one)
    expect(shown(tabs)).toBe('a c* b')
    expect(shown(close(tabs, c))).toBe('a b*')
    expect(shown(close(activate(tabs, b), b))).toBe('a c*')
  })

  test('ends the zoom of that terminal only', () => {
    expect(close(zoom(two, a), a).zoomed).toBeNull()
    expect(close(zoom(two, a), b).zoomed).toBe(a)
  })

  test('joins splits of the same direction that come to touch', () => {
    const nested = insert(insert(two, { terminal: c, at: b, where: 'bottom' }), { terminal: d, at: c, where: 'right' })
    expect(shown(nested)).toBe('row(a 0.5 | column(b 0.5 | row(c 0.5 | d 0.5) 0.5) 0.5)')
    expect(shown(close(nested, b))).toBe('row(a 0.5 | c 0.25 | d 0.25)')
  })
})

describe('zoom', () => {
  test('brings its tab to the front and changes no place', () => {
    const tabs = insert(one, { terminal: b, at: a, where: 'center' })
    expect(zoom(tabs, a)).toEqual({ ...activate(tabs, a), zoomed: a })
    expect(unzoom(zoom(two, a))).toEqual(two)
    expect(zoom(two, d)).toBe(two)
  })
})

describe('sizes', () => {
  const three = insert(two, { terminal: c, at: b, where: 'bottom' })

  test('are set by the path to the split, in any unit', () => {
    expect(shown(setSizes(three, { path: [], sizes: [300, 100] }))).toBe('row(a 0.75 | column(b 0.5 | c 0.5) 0.25)')
    expect(shown(setSizes(three, { path: [1], sizes: [0.1, 0.9] }))).toBe('row(a 0.5 | column(b 0.1 | c 0.9) 0.5)')
  })

  test.each([
    { path: [], sizes: [1] },
    { path: [], sizes: [1, 0] },
    { path: [], sizes: [1, Number.NaN] },
    { path: [0], sizes: [1, 1] },
    { path: [7], sizes: [1, 1] },
  ])('that do not fit are ignored: %o', (wanted) => expect(setSizes(three, wanted)).toBe(three))

  test('never become nothing', () => expect(shown(setSizes(two, { path: [], sizes: [1, 1e-30] }))).toBe('row(a 0.98 | b 0.02)'))

  test('too small for a number are shared equally', () => {
    const children = two.root?.kind === 'split' ? two.root.children : []
    const inner: LayoutNode = { kind: 'split', direction: 'row', children }
    expect(shown(normalise({ root: { kind: 'split', direction: 'row', children: [{ node: inner, size: 5e-324 }] }, zoomed: null }))).toBe(
      'row(a 0.5 | b 0.5)',
    )
  })

  test('are equal after balancing', () => {
    expect(shown(balance(setSizes(three, { path: [], sizes: [9, 1] })))).toBe('row(a 0.5 | column(b 0.5 | c 0.5) 0.5)')
  })
})

test('faults are noticed', () => {
  const slot = (...terminals: TerminalId[]): LayoutNode => ({ kind: 'slot', terminals, active: terminals[0] ?? a })
  const row = (...children: [LayoutNode, number][]): LayoutNode => ({
    kind: 'split',
    direction: 'row',
    children: children.map(([node, size]) => ({ node, size })),
  })
  const faultOf = (root: LayoutNode, zoomed: TerminalId | null = null) => layoutFault({ root, zoomed })
  expect(faultOf(row([slot(a), 0.5], [slot(b), 0.5]))).toBeNull()
  expect(faultOf(row([slot(a), 0.5], [slot(a), 0.5]))).toMatch('twice')
  expect(faultOf(slot())).toMatch('empty')
  expect(faultOf(slot(a), b)).toMatch('zoomed')
  expect(faultOf(row([slot(a), 1]))).toMatch('fewer')
  expect(faultOf(row([slot(a), 0.5], [slot(b), 0.6]))).toMatch('sizes')
  expect(faultOf(row([slot(a), 0.5], [row([slot(b), 0.5], [slot(c), 0.5]), 0.5]))).toMatch('repeats')
})

const terminals = fc.integer({ min: 1, max: 8 }).map(terminalId)
const where = fc.constantFrom<Where>('left', 'right', 'top', 'bottom', 'center')
const path = fc.array(fc.nat(3), { maxLength: 3 })
const sizes = fc.array(fc.oneof(fc.double(), fc.double({ min: 0.001, max: 100 })), { minLength: 2, maxLength: 4 })

type Operation = { readonly change: (layout: Layout) => Layout; readonly adds: TerminalId | null; readonly removes: TerminalId | null }
const keeping = (change: Operation['change']): Operation => ({ change, adds: null, removes: null })

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .record({ terminal: terminals, at: terminals, where })
    .map((wanted) => ({ change: (layout: Layout) => insert(layout, wanted), adds: wanted.terminal, removes: null })),
  terminals.map((terminal) => ({ change: (layout: Layout) => insert(layout, { terminal }), adds: terminal, removes: null })),
  fc.record({ terminal: terminals, target: terminals, where }).map((wanted) => keeping((layout) => move(layout, wanted))),
  terminals.map((terminal) => ({ change: (layout: Layout) => close(layout, terminal), adds: null, removes: terminal })),
  terminals.map((terminal) => keeping((layout) => zoom(layout, terminal))),
  terminals.map((terminal) => keeping((layout) => activate(layout, terminal))),
  fc.record({ path, sizes }).map((wanted) => keeping((layout) => setSizes(layout, wanted))),
  fc.constant(keeping(unzoom)),
  fc.constant(keeping(balance)),
)

describe('under any sequence of operations', () => {
  test('no terminal is lost or doubled, and the tree stays in normal form', () => {
    fc.assert(
      fc.property(fc.array(operations, { maxLength: 60 }), (sequence) => {
        let layout = emptyLayout
        for (const { change, adds, removes } of sequence) {
          const before = terminalsOf(layout)
          layout = change(layout)
          const after = terminalsOf(layout)
          expect(layoutFault(layout)).toBeNull()
          for (const terminal of before) if (terminal !== removes) expect(after).toContain(terminal)
          if (adds !== null) expect(after).toContain(adds)
          if (removes !== null) expect(after).not.toContain(removes)
          if (adds === null) expect(after.length).toBe(before.length - (removes !== null && before.includes(removes) ? 1 : 0))
        }
      }),
      { numRuns: 400 },
    )
  })
})

describe('any tree that was read from a disk', () => {
  const { node } = fc.letrec<{ node: LayoutNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ kind: fc.constant('slot' as const), terminals: fc.array(terminals, { maxLength: 3 }), active: terminals }),
      fc.record({
        kind: fc.constant('split' as const),
        direction: fc.constantFrom('row' as const, 'column' as const),
        children: fc.array(fc.record({ node: tie('node'), size: fc.oneof(fc.double(), fc.constantFrom(0, 5e-324, 1e308, 0.5)) }), {
          maxLength: 4,
        }),
      }),
    ),
  }))
  const wild: fc.Arbitrary<Layout> = fc.record({ root: fc.option(node), zoomed: fc.option(terminals) })

  test('comes into normal form with the same terminals, once', () => {
    fc.assert(
      fc.property(wild, (layout) => {
        const normal = normalise(layout)
        expect(layoutFault(normal)).toBeNull()
        expect(terminalsOf(normal)).toEqual([...new Set(terminalsOf(layout))])
        expect(normalise(normal)).toEqual(normal)
      }),
      { numRuns: 500 },
    )
  })
})
