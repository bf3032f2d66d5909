import { beforeEach, expect, test } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import type { ProcessSight } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { claude } from '../../agents/programs/claude.ts'
import { type HookReport, judge } from './hookReport.ts'
import type { Sight } from './processLook.ts'
import { newWatched, type SeenAgent, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

/** Shell 10, the agent 11, a shell for its hook 12, who reports 13; a tool 20, an agent in it 21, who reports from there 22. */
const PARENTS: Readonly<Record<number, readonly [parent: number, command: string]>> = {
  10: [1, 'bash'],
  11: [10, 'claude'],
  12: [11, 'sh'],
  13: [12, 'holdfast'],
  20: [11, 'bash'],
  21: [20, 'claude'],
  22: [21, 'holdfast'],
}
const ID = '11111111-1111-4111-8111-111111111111'

const sight = {
  find: (pid: number) => {
    const [parent, name] = PARENTS[pid] ?? []
    const found = parent === undefined || name === undefined ? null : { pid, parent, name, argv: [name], executable: null, start: `${pid}` }
    return Promise.resolve(found as ProcessSight | null)
  },
} as unknown as Sight

let entries: unknown[]
let watched: Watched
const daemon = {
  config: { agents: AGENTS },
  log: { info: () => undefined, warn: () => undefined },
  checkpoints: { session: null },
  registry: { get: () => null },
  store: { appendAudit: ({ details }: { details: unknown }) => Promise.resolve(void entries.push(details)) },
} as unknown as AgentWorld

beforeEach(() => {
  entries = []
  const agent = { agent: claude, own: [{ pid: 11, start: '11' }] } as unknown as SeenAgent
  watched = { ...newWatched(terminalId(1), runId(1)), agent }
})

const report = (changes: Partial<HookReport> = {}): HookReport => ({
  ...{ terminal: terminalId(1), agent: 'claude', conversation: ID, transcript: null, reporter: { pid: 13 }, state: null },
  ...changes,
})
const verdict = (changes: Partial<HookReport> = {}) => judge({ daemon, watched, sight }, report(changes))

test('what comes from the agent that has the terminal is taken', async () => {
  expect(await verdict()).toEqual({ ok: true })
  expect(entries).toEqual([])
})

test('what comes from an agent inside the agent is not, and is said once', async () => {
  const nested = { reporter: { pid: 22 } }
  expect(await verdict(nested)).toMatchObject({ ok: false })
  await verdict(nested)
  expect(entries).toMatchObject([{ event: 'reject', id: ID, provenance: 'hook', why: expect.stringContaining('has started') }])
})

test('another process under the number of the agent is not the agent', async () => {
  watched.agent!.own = [{ pid: 11, start: 'earlier' }]
  expect(await verdict()).toMatchObject({ ok: false })
})

test.each([
  ['from no agent at all', { reporter: { pid: 10 } }],
  ['from a process that has ended', { reporter: { pid: 99 } }],
  ['about another agent', { agent: 'codex' }],
  ['with what cannot be an id', { conversation: '--dangerously' }],
])('a report %s is not taken', async (_, changes) => {
  expect(await verdict(changes)).toMatchObject({ ok: false })
  expect(entries).toHaveLength(1)
})

test('nothing is taken where no agent has the keyboard', async () => {
  watched.agent = null
  expect(await verdict()).toMatchObject({ ok: false })
})
