import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupId, terminalId, workspaceId } from '../../../test/support/terminals.ts'
import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import type { Result } from '../../base/refusal.ts'
import { isRect, moveTile, overlap, tilesOf } from './canvas.ts'
import {
  addGroup,
  addWorkspace,
  colorGroup,
  moveAllTerminals,
  moveGroup,
  moveWorkspace,
  removeGroup,
  removeWorkspace,
  renameGroup,
  renameWorkspace,
} from './groups.ts'
import { close, terminalsOf, type Where, zoom } from './layout.ts'
import { layoutFault } from './normalForm.ts'
import { repairTopology } from './repairTopology.ts'
import {
  emptyTopology,
  moveInDock,
  moveTerminal,
  placeTerminal,
  rearrange,
  redraw,
  removeTerminal,
  setView,
  type Topology,
  workspaceOf,
  workspacesOf,
} from './topology.ts'

const [t1, t2, t3] = [terminalId(1), terminalId(2), terminalId(3)] as const
const [w1, w2] = [workspaceId(1), workspaceId(2)] as const
const [g1, g2] = [groupId(1), groupId(2)] as const
const spare = { group: groupId(90), workspace: workspaceId(90) }
const empty = emptyTopology({ group: g1, workspace: w1 })

function value(result: Result<Topology>): Topology {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}
const codeOf = (result: Result<Topology>) => (result.ok ? 'done' : result.refusal.code)
const placedIn = (topology: Topology, workspace: WorkspaceId, ...terminals: TerminalId[]) =>
  terminals.reduce((before, terminal) => value(placeTerminal(before, { terminal, workspace })), topology)

/** What is wrong with a topology that should hold exactly these terminals; null when nothing is. */
function topologyFault(topology: Topology, terminals: Iterable<TerminalId>): string | null {
  const expected = [...terminals].sort().join()
  const workspaces = workspacesOf(topology)
  if (workspaces.length === 0) return 'no workspace'
  if (new Set(workspaces.map(({ id }) => id)).size !== workspaces.length) return 'a workspace twice'
  if (
    workspaces
      .flatMap(({ layout }) => terminalsOf(layout))
      .sort()
      .join() !== expected
  )
    return 'layouts'
  if (
    workspaces
      .flatMap(({ canvas }) => Object.keys(canvas))
      .sort()
      .join() !== expected
  )
    return 'canvases'
  if ([...topology.dock].sort().join() !== expected) return 'dock'
  if (workspaces.some(({ layout, canvas }) => [...terminalsOf(layout)].sort().join() !== [...tilesOf(canvas)].sort().join()))
    return 'views differ'
  if (workspaces.some(({ canvas }) => Object.values(canvas).some((rect) => !isRect(rect)))) return 'rect'
  return workspaces.map(({ layout }) => layoutFault(layout)).find((fault) => fault !== null) ?? null
}

describe('placing', () => {
  test('a terminal stands in the layout, on the canvas and in the dock', () => {
    const topology = placedIn(empty, w1, t1, t2)
    expect(topologyFault(topology, [t1, t2])).toBeNull()
    expect(topology.dock).toEqual([t1, t2])
    expect(workspaceOf(topology, t2)?.id).toBe(w1)
    expect(workspaceOf(topology, t3)).toBeNull()
  })

  test('beside another one, when asked', () => {
    const topology = value(placeTerminal(placedIn(empty, w1, t1), { terminal: t2, workspace: w1, place: { at: t1, where: 'left' } }))
    expect(terminalsOf(workspacesOf(topology)[0]!.layout)).toEqual([t2, t1])
  })

  test('twice moves it instead of doubling it', () => {
    const two = value(addWorkspace(empty, { id: w2, name: 'side' }))
    const topology = value(placeTerminal(placedIn(two, w1, t1, t2), { terminal: t1, workspace: w2 }))
    expect(topologyFault(topology, [t1, t2])).toBeNull()
    expect(workspaceOf(topology, t1)?.id).toBe(w2)
    expect(topology.dock).toEqual([t1, t2])
  })

  test('where there is no workspace is refused', () => {
    expect(codeOf(placeTerminal(empty, { terminal: t1, workspace: w2 }))).toBe('workspace-not-found')
    expect(codeOf(moveTerminal(placedIn(empty, w1, t1), { terminal: t1, to: w2 }))).toBe('workspace-not-found')
    expect(codeOf(moveTerminal(empty, { terminal: t1, to: w1 }))).toBe('terminal-not-found')
  })
})

test('a tile keeps its size when it moves to another workspace', () => {
  const two = placedIn(value(addWorkspace(empty, { id: w2, name: 'side' })), w1, t1)
  const wide = value(redraw(two, w1, (canvas) => ({ ...canvas, [t1]: { x: 50, y: 60, width: 900, height: 300 } })))
  expect(workspaceOf(value(moveTerminal(wide, { terminal: t1, to: w2 })), t1)?.canvas[t1]).toMatchObject({ width: 900, height: 300 })
})

test('a view can be changed, but not so that it gains or loses a terminal', () => {
  const topology = placedIn(empty, w1, t1, t2)
  expect(workspacesOf(value(rearrange(topology, w1, (layout) => zoom(layout, t1))))[0]?.layout.zoomed).toBe(t1)
  expect(workspacesOf(value(setView(topology, w1, 'canvas')))[0]?.view).toBe('canvas')
  expect(() => rearrange(topology, w1, (layout) => close(layout, t1))).toThrow('would change its terminals')
  expect(codeOf(setView(topology, w2, 'canvas'))).toBe('workspace-not-found')
})

describe('groups and workspaces', () => {
  const two = value(addGroup(value(addWorkspace(empty, { id: w2, name: 'side' })), { id: g2, name: 'later', color: 'red' }))

  test('a workspace with terminals, and the last one, stay', () => {
    expect(codeOf(removeWorkspace(placedIn(two, w2, t1), w2))).toBe('workspace-not-empty')
    expect(codeOf(removeWorkspace(empty, w1))).toBe('workspace-last')
    expect(workspacesOf(value(removeWorkspace(two, w2))).map(({ id }) => id)).toEqual([w1])
  })

  test('no two workspaces have one name, and each may keep its own', () => {
    expect(codeOf(addWorkspace(two, { id: workspaceId(3), name: ' side ' }))).toBe('workspace-name-taken')
    expect(codeOf(renameWorkspace(two, w1, 'side'))).toBe('workspace-name-taken')
    expect(codeOf(renameWorkspace(two, w2, 'side'))).toBe('done')
  })

  test('all terminals of a workspace move to another one, in their order, and it can go then', () => {
    const full = placedIn(placedIn(two, w2, t1, t2), w1, t3)
    const moved = value(moveAllTerminals(full, { from: w2, to: w1 }))
    expect(topologyFault(moved, [t1, t2, t3])).toBeNull()
    expect(moved.dock).toEqual(full.dock)
    expect(workspacesOf(value(removeWorkspace(moved, w2))).map(({ id }) => id)).toEqual([w1])
    expect(codeOf(moveAllTerminals(full, { from: w2, to: workspaceId(9) }))).toBe('workspace-not-found')
  })

  test('a workspace moves with everything in it', () => {
    const moved = value(moveWorkspace(placedIn(two, w1, t1), { id: w1, group: g2, index: 0 }))
    expect(moved.groups.map(({ workspaces }) => workspaces.map(({ id }) => id))).toEqual([[w2], [w1]])
    expect(topologyFault(moved, [t1])).toBeNull()
  })

  test('a group with workspaces, and the last one, stay', () => {
    expect(codeOf(removeGroup(two, g1))).toBe('group-not-empty')
    expect(codeOf(removeGroup({ ...empty, groups: [{ ...empty.groups[0]!, workspaces: [] }] }, g1))).toBe('group-last')
    expect(value(removeGroup(two, g2)).groups.map(({ id }) => id)).toEqual([g1])
  })

  test('names, colours and order can be changed', () => {
    expect(value(renameWorkspace(two, w2, ' docs ')).groups[0]?.workspaces[1]?.name).toBe('docs')
    expect(value(renameGroup(two, g2, 'now')).groups[1]?.name).toBe('now')
    expect(value(colorGroup(two, g2, 'green')).groups[1]?.color).toBe('green')
    expect(value(moveGroup(two, { id: g2, index: 0 })).groups.map(({ id }) => id)).toEqual([g2, g1])
    expect(codeOf(renameWorkspace(two, w2, 'a\nb'))).toBe('name-invalid')
    expect(codeOf(renameGroup(two, groupId(9), 'x'))).toBe('group-not-found')
  })
})

test('the dock changes its order only when asked', () => {
  const topology = placedIn(empty, w1, t1, t2, t3)
  expect(moveInDock(topology, { terminal: t3, index: 0 }).dock).toEqual([t3, t1, t2])
  expect(removeTerminal(topology, t2).dock).toEqual([t1, t3])
})

const terminals = fc.integer({ min: 1, max: 7 }).map(terminalId)
const workspaces = fc.integer({ min: 1, max: 4 }).map(workspaceId)
const groups = fc.integer({ min: 1, max: 3 }).map(groupId)
const index = fc.integer({ min: -2, max: 6 })
const place = fc.option(fc.record({ at: terminals, where: fc.constantFrom<Where>('left', 'right', 'top', 'bottom', 'center') }), {
  nil: undefined,
})
const name = fc.constantFrom('docs', 'api', '')

type Operation = { readonly change: (topology: Topology) => Result<Topology>; readonly adds?: TerminalId; readonly removes?: TerminalId }
const total = (topology: Topology): Result<Topology> => ({ ok: true, value: topology })
const withPlace = <Wanted extends object>({ place: at, ...wanted }: Wanted & { place: { at: TerminalId; where: Where } | undefined }) => ({
  ...wanted,
  ...(at && { place: at }),
})
const isNew = (topology: Topology, id: WorkspaceId | GroupId) =>
  ![...topology.groups, ...workspacesOf(topology)].some((known) => known.id === id)

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .record({ terminal: terminals, workspace: workspaces, place })
    .map((wanted) => ({ change: (t: Topology) => placeTerminal(t, withPlace(wanted)), adds: wanted.terminal })),
  fc
    .record({ terminal: terminals, to: workspaces, place })
    .map((wanted) => ({ change: (t: Topology) => moveTerminal(t, withPlace(wanted)) })),
  terminals.map((terminal) => ({ change: (t: Topology) => total(removeTerminal(t, terminal)), removes: terminal })),
  fc.record({ terminal: terminals, index }).map((wanted) => ({ change: (t: Topology) => total(moveInDock(t, wanted)) })),
  fc
    .record({ id: workspaces, name, group: groups })
    .map((wanted) => ({ change: (t: Topology) => (isNew(t, wanted.id) ? addWorkspace(t, wanted) : total(t)) })),
  fc.record({ id: workspaces, group: groups, index }).map((wanted) => ({ change: (t: Topology) => moveWorkspace(t, wanted) })),
  fc.tuple(workspaces, name).map(([id, to]) => ({ change: (t: Topology) => renameWorkspace(t, id, to) })),
  workspaces.map((id) => ({ change: (t: Topology) => removeWorkspace(t, id) })),
  fc
    .record({ id: groups, name, color: fc.constant('red') })
    .map((wanted) => ({ change: (t: Topology) => (isNew(t, wanted.id) ? addGroup(t, wanted) : total(t)) })),
  fc.record({ id: groups, index }).map((wanted) => ({ change: (t: Topology) => moveGroup(t, wanted) })),
  groups.map((id) => ({ change: (t: Topology) => removeGroup(t, id) })),
  fc
    .tuple(workspaces, terminals, fc.double(), fc.double())
    .map(([id, terminal, x, y]) => ({ change: (t: Topology) => redraw(t, id, (canvas) => moveTile(canvas, terminal, { x, y })) })),
)

test('under any sequence of operations every terminal is in exactly one workspace, and the dock keeps its order', () => {
  fc.assert(
    fc.property(fc.array(operations, { maxLength: 50 }), (sequence) => {
      let topology = empty
      const expected = new Set<TerminalId>()
      for (const { change, adds, removes } of sequence) {
        const result = change(topology)
        if (!result.ok) continue
        topology = result.value
        if (adds !== undefined) expected.add(adds)
        if (removes !== undefined) expected.delete(removes)
        expect(topologyFault(topology, expected)).toBeNull()
        expect(repairTopology(topology, { terminals: expected, spare })).toBe(topology)
      }
    }),
    { numRuns: 300 },
  )
})

describe('repair', () => {
  test('places the missing, drops the unknown, and leaves the rest where it was', () => {
    const before = placedIn(empty, w1, t1, t2)
    const repaired = repairTopology(before, { terminals: [t2, t3], spare })
    expect(topologyFault(repaired, [t2, t3])).toBeNull()
    expect(repaired.dock).toEqual([t2, t3])
    expect(workspacesOf(repaired)[0]?.canvas[t2]).toEqual(workspacesOf(before)[0]?.canvas[t2])
  })

  test('brings a terminal back to the workspace where its tile still is', () => {
    const before = placedIn(value(addWorkspace(empty, { id: w2, name: 'side' })), w2, t1)
    const group = before.groups[0]!
    const damaged = {
      ...before,
      groups: [{ ...group, workspaces: group.workspaces.map((each) => ({ ...each, layout: { root: null, zoomed: null } })) }],
    }
    expect(workspaceOf(repairTopology(damaged, { terminals: [t1], spare }), t1)?.id).toBe(w2)
  })

  test('makes a workspace where there is none', () => {
    expect(topologyFault(repairTopology({ groups: [], dock: [] }, { terminals: [t1], spare }), [t1])).toBeNull()
    expect(
      topologyFault(repairTopology({ groups: [{ ...empty.groups[0]!, workspaces: [] }], dock: [] }, { terminals: [t1], spare }), [t1]),
    ).toBeNull()
  })

  const wildSlot = fc.record({ kind: fc.constant('slot' as const), terminals: fc.array(terminals, { maxLength: 4 }), active: terminals })
  const wildRect = fc.record({ x: fc.double(), y: fc.double(), width: fc.double(), height: fc.double() })
  const wildWorkspace = fc.record({
    id: workspaces,
    name: fc.string(),
    layout: fc.record({ root: fc.option(wildSlot), zoomed: fc.option(terminals) }),
    canvas: fc.dictionary(terminals, wildRect),
    view: fc.constantFrom('split' as const, 'canvas' as const),
  })
  const wildGroup = fc.record({ id: groups, name: fc.string(), color: fc.string(), workspaces: fc.array(wildWorkspace, { maxLength: 3 }) })
  const wild = fc.record({ groups: fc.array(wildGroup, { maxLength: 3 }), dock: fc.array(terminals) }) as fc.Arbitrary<Topology>

  test('makes any topology sound for any set of terminals, and is then done', () => {
    fc.assert(
      fc.property(wild, fc.uniqueArray(terminals), (topology, known) => {
        const repaired = repairTopology(topology, { terminals: known, spare })
        expect(topologyFault(repaired, known)).toBeNull()
        expect(repairTopology(repaired, { terminals: known, spare })).toBe(repaired)
      }),
      { numRuns: 300 },
    )
  })
})

test('tiles that were placed by themselves do not overlap', () => {
  const { canvas } = workspacesOf(placedIn(empty, w1, ...Array.from({ length: 20 }, (_, at) => terminalId(at + 1))))[0]!
  const rects = Object.values(canvas)
  for (const [at, rect] of rects.entries()) for (const other of rects.slice(at + 1)) expect(overlap(rect, other)).toBe(false)
})
