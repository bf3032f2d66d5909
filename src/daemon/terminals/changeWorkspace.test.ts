import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeDaemon, put } from '../../../test/support/ownDaemon.ts'
import { buildStore } from '../../../test/support/store.ts'
import { asleep, groupId, terminalId, workspaceId } from '../../../test/support/terminals.ts'
import { placed } from '../../../test/support/workspaces.ts'
import { done, refusals, refused } from '../../base/refusal.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import { addWorkspace, colorGroup } from '../../workspace/layout/groups.ts'
import { setView, type Topology } from '../../workspace/layout/topology.ts'
import type { Connection } from '../clients/connection.ts'
import type { Daemon } from '../compose.ts'
import { changeAround, changeGroup, changeWorkspace } from './changeWorkspace.ts'
import { placeBeside } from './placeBeside.ts'

beforeAll(buildStore)

const [one, two] = [asleep({ id: terminalId(1), name: 'api' }), asleep({ id: terminalId(2), name: 'web' })] as const
const main = workspaceId(1)
const canvas = (topology: Topology) => setView(topology, main, 'canvas')

/** With two terminals in its first workspace and nobody in another; `told` is what a client hears. */
async function daemonWithTwo(): Promise<{ daemon: Daemon; told: DaemonEvent[] }> {
  const topology = addWorkspace(placed(one, two), { id: workspaceId(2), name: 'side' })
  if (!topology.ok) throw new Error(topology.refusal.message)
  const daemon = await makeDaemon(topology.value)
  for (const terminal of [one, two]) await put(daemon, terminal)
  const told: DaemonEvent[] = []
  const client = { announce: (event: DaemonEvent) => told.push(event) } as unknown as Connection
  daemon.audience.clients.add(client)
  onTestFinished(() => void daemon.audience.clients.delete(client))
  return { daemon, told }
}

describe('a change of a workspace', () => {
  test('is kept, told with everything that stands, and answered with the workspace as it is then', async () => {
    const { daemon, told } = await daemonWithTwo()
    expect(await changeWorkspace(daemon, 'main', canvas)).toMatchObject({ ok: true, result: { id: main, view: 'canvas' } })
    expect(told).toMatchObject([
      { kind: 'topology', topology: { dock: [one.id, two.id], groups: [{ workspaces: [{ view: 'canvas' }, {}] }] } },
    ])
    const kept = await daemon.store.topology()
    expect(kept?.groups[0]?.workspaces[0]?.view).toBe('canvas')
  })

  test('that changes nothing is neither told nor written, yet answered', async () => {
    const { daemon, told } = await daemonWithTwo()
    expect(await changeWorkspace(daemon, main, done)).toMatchObject({ ok: true, result: { view: 'split' } })
    expect(told).toEqual([])
  })

  test('is refused for a workspace that is not there, and where the change is', async () => {
    const { daemon, told } = await daemonWithTwo()
    expect(await changeWorkspace(daemon, 'nowhere', canvas)).toMatchObject({ refusal: { code: 'workspace-not-found' } })
    const no = () => refused(refusals.workspaceLast('main'))
    expect(await changeWorkspace(daemon, 'main', no)).toMatchObject({ refusal: { code: 'workspace-last' } })
    expect(told).toEqual([])
  })

  test('is taken back where the disk refuses it', async () => {
    const { daemon, told } = await daemonWithTwo()
    vi.spyOn(daemon.store, 'keepTopology').mockRejectedValue(new Error('disk full'))
    expect(await changeWorkspace(daemon, 'main', canvas)).toMatchObject({ refusal: { code: 'disk-failed' } })
    expect(daemon.topology.groups[0]?.workspaces[0]?.view).toBe('split')
    expect(told).toEqual([])
  })
})

test('a change around a terminal is one of the workspace that it is in', async () => {
  const { daemon } = await daemonWithTwo()
  const around = await changeAround(daemon, 'web', (topology, { workspace, terminal }) => {
    expect(terminal).toBe(two.id)
    return setView(topology, workspace, 'canvas')
  })
  expect(around).toMatchObject({ ok: true, result: { id: main, view: 'canvas' } })
  expect(await changeAround(daemon, 'nobody', done)).toMatchObject({ refusal: { code: 'terminal-not-found' } })
})

test('a change of a group finds it by name, and answers with the group', async () => {
  const { daemon } = await daemonWithTwo()
  const red = await changeGroup(daemon, 'main', (topology, group) => colorGroup(topology, group, 'red'))
  expect(red).toMatchObject({ ok: true, result: { id: groupId(1), color: 'red', workspaces: [{ name: 'main' }, { name: 'side' }] } })
  expect(await changeGroup(daemon, 'nobody', done)).toMatchObject({ refusal: { code: 'group-not-found' } })
})

describe('beside a terminal', () => {
  const beside = { terminal: 'web', where: 'bottom' } as const

  test('is a place in the workspace of that terminal', async () => {
    const { daemon } = await daemonWithTwo()
    expect(placeBeside(daemon, beside, null)).toMatchObject({
      ok: true,
      value: { workspace: { id: main }, place: { at: two.id, where: 'bottom' } },
    })
  })

  test('must be in the workspace that was named, if one was, and beside somebody who is there', async () => {
    const { daemon } = await daemonWithTwo()
    const [first = null, side = null] = daemon.topology.groups[0]?.workspaces ?? []
    expect(placeBeside(daemon, beside, first)).toMatchObject({ ok: true })
    expect(placeBeside(daemon, beside, side)).toMatchObject({ refusal: { code: 'workspace-other' } })
    expect(placeBeside(daemon, { ...beside, terminal: 'nobody' }, null)).toMatchObject({ refusal: { code: 'terminal-not-found' } })
  })
})
