import { describe, expect, test } from 'vitest'
import { asleep, groupId, live, terminalId, workspaceId } from '../../../test/support/terminals.ts'
import { checkpointOf, entry, placed } from '../../../test/support/workspaces.ts'
import { terminalsOf } from '../layout/layout.ts'
import { workspacesOf } from '../layout/topology.ts'
import { type FillInput, fillIn } from './fillIn.ts'

const [one, two, three] = [terminalId(1), terminalId(2), terminalId(3)] as const
const host = { id: { machine: 'm', boot: 'b', name: 'here' }, isSame: true }
const spare = { group: groupId(9), workspace: workspaceId(9) }
const then = [live({ id: one, name: 'one' }), asleep({ id: two, name: 'two' })]
const checkpoint = checkpointOf({ topology: placed(...then), terminals: then.map((terminal) => entry(terminal)) })
const fill = (given: Pick<FillInput, 'records' | 'topology'> & { readonly isNewer?: boolean }) =>
  fillIn({ checkpoint, isNewer: false, now: 100, spare, host, ...given })
const ok = (terminal: ReturnType<typeof asleep>) => ({ ok: true, terminal }) as const
const broken = (id: string) => ({ ok: false, id, raw: '{', why: 'it is not JSON' }) as const

describe('what a boot takes from a checkpoint', () => {
  test('is nothing of a terminal that was closed since, nor of one that is newer', () => {
    const records = [ok(asleep({ id: one, name: 'renamed' })), ok(asleep({ id: three }))]
    const topology = placed(asleep({ id: one }), asleep({ id: three }))
    expect(fill({ records, topology })).toEqual({ records, topology, terminals: [] })
  })

  test('is the record of one that cannot be decoded, under a name that is free', () => {
    const records = [broken(one), ok(asleep({ id: three, name: 'one' }))]
    const filled = fill({ records, topology: placed(asleep({ id: one }), asleep({ id: three })) })
    expect(filled.terminals).toEqual([{ terminal: { ...then[0], name: 'one-2' }, instead: broken(one) }])
    expect(filled.records).toEqual([{ ok: true, terminal: { ...then[0], name: 'one-2' } }, records[1]])
  })

  test('is nothing for one that it does not know', () => {
    const records = [broken(three)]
    expect(fill({ records, topology: placed(asleep({ id: three })) })).toMatchObject({ records, terminals: [] })
  })

  test('is the layout where that is gone: without whoever was closed, and with the newer ones at the end', () => {
    const filled = fill({ records: [ok(asleep({ id: two })), ok(asleep({ id: three }))], topology: null })
    const [first, last] = workspacesOf(filled.topology)
    expect(first).toMatchObject({ id: workspaceId(1) })
    expect(first && terminalsOf(first.layout)).toEqual([two])
    expect(last && terminalsOf(last.layout)).toEqual([three])
    expect(filled.topology.dock).toEqual([two, three])
    expect(filled.terminals).toEqual([])
  })

  test('is everything where nothing is there', () => {
    const filled = fill({ records: [], topology: null })
    expect(filled.topology).toEqual(checkpoint.topology)
    expect(filled.records).toEqual(then.map((terminal) => ({ ok: true, terminal })))
  })

  test('is everything it knows where the database has lost its newest writes; whom only the database knows stays', () => {
    const [first, second] = then as [(typeof then)[0], (typeof then)[1]]
    const records = [ok(asleep({ id: one, name: 'an older name' })), { ok: true, terminal: second } as const, ok(asleep({ id: three }))]
    const filled = fill({ records, topology: placed(asleep({ id: three })), isNewer: true })
    expect(filled.terminals).toEqual([{ terminal: first, instead: null }])
    expect(filled.records.map((record) => (record.ok ? record.terminal : null))).toEqual([asleep({ id: three }), first, second])
    expect(filled.topology.dock).toEqual([one, two, three])
  })
})
