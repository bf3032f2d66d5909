import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryState, checkpointOf } from '../../../test/support/workspaces.ts'
import { terminalsOf } from '../layout/layout.ts'
import { repairTopology } from '../layout/repairTopology.ts'
import { type Topology, workspacesOf } from '../layout/topology.ts'
import { idsOf, onlyWorkspace, topologyBeside, withOtherIds } from './beside.ts'

const spare = { group: 'gzzzzzzzzzz', workspace: 'wzzzzzzzzzz' } as never
const isSound = (topology: Topology): boolean => repairTopology(topology, { terminals: topology.dock, spare }) === topology

test('a workspace beside itself, under other ids, is sound and shares no id with it', () => {
  fc.assert(
    fc.property(arbitraryState(20), (state) => {
      const { terminals, runs, places } = idsOf(state)
      const others = new Map([...terminals, ...runs, ...places].map((id) => [id, `${id.slice(0, -1)}y`]))
      const copy = withOtherIds(state, others)
      const theirs = idsOf(copy)
      expect([...theirs.terminals, ...theirs.runs, ...theirs.places].filter((id) => !others.has(id))).toHaveLength(others.size)
      expect(withOtherIds(copy, new Map([...others].map(([a, b]) => [b, a])))).toEqual(state)
      const both = topologyBeside(state.topology, copy.topology)
      expect(isSound(both)).toBe(true)
      expect(both.groups.slice(0, state.topology.groups.length)).toEqual(state.topology.groups)
    }),
  )
})

test('one workspace of a checkpoint has its terminals and nothing else', () => {
  fc.assert(
    fc.property(arbitraryState(20), fc.nat(20), (state, pick) => {
      const workspaces = workspacesOf(state.topology)
      const wanted = workspaces[pick % workspaces.length]
      if (wanted === undefined) return
      const only = onlyWorkspace(checkpointOf(state), wanted.id)
      expect(workspacesOf(only.topology)).toEqual([wanted])
      expect(only.terminals.map(({ terminal }) => terminal.id).sort()).toEqual([...terminalsOf(wanted.layout)].sort())
      expect(isSound(only.topology)).toBe(true)
    }),
  )
})
