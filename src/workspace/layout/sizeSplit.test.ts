import { describe, expect, test } from 'vitest'
import { asleep, terminalId, workspaceId } from '../../../test/support/terminals.ts'
import { placed } from '../../../test/support/workspaces.ts'
import { sizeSplit, workspaceOf } from './topology.ts'

const [t1, t2, t3] = [terminalId(1), terminalId(2), terminalId(3)] as const
/** `t1` over `t3`, beside `t2`. */
const topology = placed(asleep({ id: t1 }), asleep({ id: t2 }), asleep({ id: t3 }))
const sized = (path: readonly number[], sizes: readonly number[]) => sizeSplit(topology, workspaceId(1), { path, sizes })

function sizesAfter(path: readonly number[], sizes: readonly number[]): unknown {
  const changed = sized(path, sizes)
  const root = changed.ok ? workspaceOf(changed.value, t1)?.layout.root : null
  const node = path.length === 0 ? root : root?.kind === 'split' ? root.children[path[0] ?? 0]?.node : null
  return node?.kind === 'split' ? node.children.map(({ size }) => size) : null
}

describe('sizing a split', () => {
  test('counts only the ratio, at the root and within', () => {
    expect(sizesAfter([], [300, 100])).toEqual([0.75, 0.25])
    expect(sizesAfter([0], [1, 3])).toEqual([0.25, 0.75])
  })

  test('is refused where the path leads to a slot, or nowhere', () => {
    for (const path of [[1], [0, 0], [7], [0, 9, 9]]) expect(sized(path, [1, 1])).toMatchObject({ refusal: { code: 'split-not-found' } })
    expect(sizeSplit(placed(), workspaceId(1), { path: [], sizes: [1, 1] })).toMatchObject({
      refusal: { message: 'There is no split there.' },
    })
  })

  test('is refused with another number of sizes than the split has parts', () => {
    expect(sized([], [1, 1, 1])).toMatchObject({ refusal: { message: 'The split has 2 parts, but you gave 3 sizes.' } })
  })

  test('is refused for a workspace that is not there', () => {
    expect(sizeSplit(topology, workspaceId(9), { path: [], sizes: [1, 1] })).toMatchObject({ refusal: { code: 'workspace-not-found' } })
  })
})
