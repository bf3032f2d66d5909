import { describe, expect, test } from 'vitest'
import type { Agent, AgentProcess, Finding, Look } from '../../agents/agent.ts'
import { claude } from '../../agents/programs/claude.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { candidatesFor } from './candidates.ts'
import type { SeenAgent } from './watched.ts'

const [given, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const NOW = 1_000_000

const found = (id: string, provenance: Finding['provenance']): Finding => ({ id, provenance, transcript: null, began: null })

function seenWith(changes: {
  readonly argv?: readonly string[]
  readonly findings?: readonly Finding[]
  readonly hook?: SeenAgent['hook']
  readonly inside?: SeenAgent['inside']
}): SeenAgent {
  const { argv = ['claude'], findings = [], hook = null, inside = [] } = changes
  const agent: Agent = {
    ...claude,
    findings: () => Promise.resolve(findings),
    transcript: () => Promise.resolve({ kind: 'there', path: '/transcript' }),
  }
  const process = { process: { argv }, startedAt: 0 } as unknown as AgentProcess
  return { agent, process, hook, bound: null, inside } as unknown as SeenAgent
}

const card = (args: readonly string[]) => ({ args }) as HolderCard
const told = async (seen: SeenAgent, by: HolderCard | null = null) =>
  (await candidatesFor(seen, {} as Look, by, NOW)).map(({ id, provenance }) => `${provenance} ${id}`)

describe('an id in the arguments of an agent', () => {
  const argv = ['claude', '--session-id', given]

  test('is the one that we gave it', async () => {
    expect(await told(seenWith({ argv }), card(['--session-id', given]))).toEqual([`assigned ${given}`])
  })

  test('is also ours where a login shell started it', async () => {
    expect(await told(seenWith({ argv }), card(['-lc', `exec claude --session-id ${given}`]))).toEqual([`assigned ${given}`])
  })

  test('is nothing to go by where the user has typed it', async () => {
    expect(await told(seenWith({ argv }), card([]))).toEqual([])
  })

  test('is old where the agent itself says otherwise: its arguments stay when it begins another conversation', async () => {
    const seen = seenWith({ argv, findings: [found(other, 'registration')] })
    expect(await told(seen, card(['--session-id', given]))).toEqual([`registration ${other}`])
  })

  test('is not looked for in other words', async () => {
    expect(await told(seenWith({ argv: ['claude', '--resume', given] }), card(['--resume', given]))).toEqual([])
  })
})

describe('what a hook has said', () => {
  const hook = (at: number) => ({ finding: found(given, 'hook'), at })

  test('counts as long as nothing that is read now says otherwise', async () => {
    expect(await told(seenWith({ hook: hook(0) }))).toEqual([`hook ${given}`])
    expect(await told(seenWith({ hook: hook(0), findings: [found(given, 'registration')] }))).toEqual([
      `hook ${given}`,
      `registration ${given}`,
    ])
  })

  test('is ahead of the files for a moment', async () => {
    const seen = seenWith({ hook: hook(NOW - 500), findings: [found(other, 'registration')] })
    expect(await told(seen)).toEqual([`hook ${given}`, `registration ${other}`])
  })

  test('is old when the files say otherwise for longer than that: a hook did not fire', async () => {
    const seen = seenWith({ hook: hook(NOW - 10_000), findings: [found(other, 'registration')] })
    expect(await told(seen)).toEqual([`registration ${other}`])
  })
})

test('what begins in the directory while an agent of its kind runs inside it may be that one’s', async () => {
  const stored = (id: string, began: number): Finding => ({ ...found(id, 'store'), began })
  const inside = [{ name: { pid: 1, start: '1' }, from: 500_000, to: 510_000 }]
  expect(await told(seenWith({ inside, findings: [stored(given, 505_000), stored(other, 600_000)] }))).toEqual([`store ${other}`])
})
