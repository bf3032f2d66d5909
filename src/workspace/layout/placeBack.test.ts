import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, terminalId } from '../../../test/support/terminals.ts'
import { act, arbitraryActs, empty, placed } from '../../../test/support/workspaces.ts'
import { moveTile, overlap } from './canvas.ts'
import { activate, terminalsOf } from './layout.ts'
import { layoutFault } from './normalForm.ts'
import { placeBack } from './placeBack.ts'
import { moveTerminal, placeTerminal, rearrange, redraw, removeTerminal, type Topology, workspaceOf, workspacesOf } from './topology.ts'

const [a, b, c, d] = [terminalId(1), terminalId(2), terminalId(3), terminalId(4)] as const
const three = placed(...[a, b, c].map((id) => asleep({ id })))
const home = workspacesOf(three)[0]!.id
const must = (result: ReturnType<typeof placeTerminal>): Topology => {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}
const layoutOf = (topology: Topology) => workspacesOf(topology)[0]!.layout

describe('a terminal that comes back', () => {
  test('stands exactly where it stood, if nothing was arranged anew since', () => {
    fc.assert(
      fc.property(arbitraryActs(30), fc.nat(), (acts, pick) => {
        const before = acts.reduce(act, empty)
        fc.pre(before.dock.length > 0)
        const terminal = before.dock[pick % before.dock.length]!
        expect(placeBack(removeTerminal(before, terminal), { terminal, before })).toEqual(before)
      }),
    )
  })

  test('has one place, beside all others at theirs, whatever was done since', () => {
    fc.assert(
      fc.property(arbitraryActs(25), arbitraryActs(15), fc.nat(), (acts, since, pick) => {
        const before = acts.reduce(act, empty)
        fc.pre(before.dock.length > 0)
        const terminal = before.dock[pick % before.dock.length]!
        const now = since.reduce(act, removeTerminal(before, terminal))
        const back = placeBack(now, { terminal, before })
        const everybody = [...new Set([...now.dock, terminal])].sort()
        expect([...back.dock].sort()).toEqual(everybody)
        expect(
          workspacesOf(back)
            .flatMap(({ layout }) => [...terminalsOf(layout)])
            .sort(),
        ).toEqual(everybody)
        expect(
          workspacesOf(back)
            .flatMap(({ canvas }) => Object.keys(canvas))
            .sort(),
        ).toEqual(everybody)
        for (const { layout } of workspacesOf(back)) expect(layoutFault(layout)).toBeNull()
        if (!now.dock.includes(terminal)) expect(removeTerminal(back, terminal).dock).toEqual(now.dock)
      }),
    )
  })

  test('finds its place although others were closed after it, and although another tab is in front', () => {
    const tabs = must(moveTerminal(three, { terminal: c, to: home, place: { at: b, where: 'center' } }))
    const closed = removeTerminal(removeTerminal(tabs, b), a)
    expect(placeBack(closed, { terminal: b, before: tabs })).toEqual(removeTerminal(tabs, a))
    const turned = must(rearrange(removeTerminal(tabs, a), home, (layout) => activate(layout, b)))
    expect(layoutOf(placeBack(turned, { terminal: a, before: tabs }))).toEqual(activate(layoutOf(tabs), b))
  })

  test('goes beside its neighbour where the layout is another one', () => {
    const closed = must(placeTerminal(removeTerminal(three, b), { terminal: d, workspace: home }))
    const back = placeBack(closed, { terminal: b, before: three })
    const order = terminalsOf(layoutOf(back))
    expect(Math.abs(order.indexOf(b) - order.indexOf(c))).toBe(1)
    expect(back.dock).toEqual([a, b, c, d])
  })

  test('does not cover a tile that was put in its place on the canvas, and takes its own where none was', () => {
    const { x, y } = workspacesOf(three)[0]!.canvas[b]!
    const moved = must(redraw(removeTerminal(three, b), home, (canvas) => moveTile(canvas, a, { x, y })))
    const { canvas } = workspaceOf(placeBack(moved, { terminal: b, before: three }), b)!
    expect(overlap(canvas[a]!, canvas[b]!)).toBe(false)
    const elsewhere = must(redraw(removeTerminal(three, b), home, (tiles) => moveTile(tiles, a, { x: 5_000, y: 5_000 })))
    expect(workspaceOf(placeBack(elsewhere, { terminal: b, before: three }), b)!.canvas[b]).toEqual({
      ...workspacesOf(three)[0]!.canvas[b]!,
    })
  })

  test('stands in the first workspace if its own is gone', () => {
    const other = placed(asleep({ id: d }))
    const elsewhere: Topology = {
      ...three,
      groups: three.groups.map((group) => ({
        ...group,
        workspaces: group.workspaces.map((each) => ({ ...each, id: `w${'9'.repeat(10)}` as typeof each.id })),
      })),
    }
    expect(workspaceOf(placeBack(other, { terminal: b, before: elsewhere }), b)?.id).toBe(workspacesOf(other)[0]!.id)
  })
})
