/** Two sandboxes with one home: their processes have the same numbers, and name their conversations by them in the same directories. */
import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../test/support/memoryLook.ts'
import type { Agent, Finding, SelfName } from './agent.ts'
import { isSelf } from './files.ts'
import { decide } from './identity.ts'
import { claude } from './programs/claude.ts'
import { cline } from './programs/cline.ts'
import { copilot } from './programs/copilot.ts'
import { qwen } from './programs/qwen.ts'

const A = '8f3a19f8-d49a-417e-871b-ea7e3f2ae73c'
const B = '35e384e8-6559-426c-94fc-32bc5bfb9640'

/** A launcher and its child; numbers as in the other sandbox. */
const sandbox = (space: string, start: number): readonly SelfName[] =>
  [2, 21].map((pid, index) => ({ pid, start: String(start + index), space, isInside: true }))
const SPACE_A = '4026532248'
const SPACE_B = '4026532249'
const inA = sandbox(SPACE_A, 2_555_000)
const inB = sandbox(SPACE_B, 2_555_700)
const outside = (pid: number): readonly SelfName[] => [{ pid, start: '2555001', space: '4026531836', isInside: false }]

const idsOf = async (agent: Agent, memory: Memory): Promise<readonly string[]> =>
  (await agent.findings(memoryLook(memory))).filter(({ provenance }) => provenance === 'registration').map(({ id }) => id)

type Entry = { readonly id: string; readonly start: string | null; readonly space: string | null }
const ofA: Entry = { id: A, start: '2555001', space: SPACE_A }
const ofB: Entry = { id: B, start: '2555701', space: SPACE_B }

const registries: readonly (readonly [Agent, (entry: Entry) => Record<string, string>])[] = [
  [
    claude,
    ({ id, start, space }) => ({
      '/h/.claude/sessions/21.json': JSON.stringify({
        ...{ pid: 21, sessionId: id, startedAt: START + 900 },
        ...(start === null ? {} : { procStart: start }),
        ...(space === null ? {} : { pidDomain: `linux:3d1219c7c4c5404aaa1f6d2a48adfda4:pid:[${space}]` }),
      }),
    }),
  ],
  [
    qwen,
    ({ id, start, space }) => ({
      '/h/.qwen/sessions/21.json': JSON.stringify({
        ...{ schemaVersion: 1, pid: 21, sessionId: id, cwd: '/p/one' },
        ...(start === null ? {} : { procStart: `add93017-647c-4253-a015-b0f4e8a552c4:${start}` }),
        ...(space === null ? {} : { pidNs: Number(space) }),
      }),
    }),
  ],
]

describe.each(registries)('the registry of $id', (agent, filesOf) => {
  test('names the conversation of the sandbox that wrote it, and of no other one', async () => {
    expect(await idsOf(agent, { files: filesOf(ofA), selves: inA })).toEqual([A])
    expect(await idsOf(agent, { files: filesOf(ofA), selves: inB })).toEqual([])
    expect(await idsOf(agent, { files: filesOf(ofB), selves: inA })).toEqual([])
    expect(await idsOf(agent, { files: filesOf(ofB), selves: inB })).toEqual([B])
  })

  test.each<[string, Entry]>([
    ['the start alone: two sandboxes may be started at once', { ...ofA, space: SPACE_B }],
    ['the space alone: its number is used again when a sandbox is gone', { ...ofA, start: '2555002' }],
    ['the start of another process of this sandbox', { ...ofA, start: '2555000' }],
    ['a start without a space', { ...ofA, space: null }],
    ['a space without a start', { ...ofA, start: null }],
    ['a number only', { ...ofA, start: null, space: null }],
  ])('is not believed for %s', async (_, entry) => expect(await idsOf(agent, { files: filesOf(entry), selves: inA })).toEqual([]))

  test('says nothing of a process whose space could not be seen', async () => {
    const selves = inA.map((self) => ({ ...self, space: null }))
    expect(await idsOf(agent, { files: filesOf(ofA), selves })).toEqual([])
  })

  test('that a sandbox wrote says nothing of the process outside with that number', async () => {
    expect(await idsOf(agent, { files: filesOf(ofB), selves: outside(21) })).toEqual([])
    expect(await idsOf(agent, { files: filesOf(ofA), selves: outside(21) })).toEqual([])
    expect(await idsOf(agent, { files: filesOf({ ...ofA, space: '4026531836' }), selves: outside(21) })).toEqual([A])
  })

  test('that the process outside with the pid wrote says nothing of a sandbox', async () => {
    const files = filesOf({ id: A, start: '2555001', space: '4026531836' })
    expect(await idsOf(agent, { files, pids: [21], selves: inA })).toEqual([])
  })
})

describe('qwen, whose number has a record of another sandbox and which therefore writes none', () => {
  const C = 'c21b3343-6998-462f-93f6-a49b0d633475'
  const [, [, recordOf]] = registries as readonly [unknown, (typeof registries)[number]]
  const at = (id: string) => `/h/.qwen/projects/-p-one/chats/${id}`
  const begun = (id: string, more: { readonly pid?: number; readonly started?: number; readonly asked?: number } = {}) => {
    const { pid = 21, started = START + 4_000, asked } = more
    const said = asked === undefined ? {} : { [`${at(id)}.jsonl`]: `${JSON.stringify({ type: 'user', timestamp: new Date(asked) })}\n` }
    return { [`${at(id)}.runtime.json`]: JSON.stringify({ pid, session_id: id, work_dir: '/p/one', started_at: started / 1_000 }), ...said }
  }
  const inBWith = (...files: readonly Record<string, string>[]) =>
    qwen.findings(memoryLook({ files: Object.assign({}, recordOf(ofA), ...files) as Record<string, string>, selves: inB }))

  test('may have what began in its directory under its number, but not what the record names', async () => {
    const found = { id: B, provenance: 'store', began: START + 4_000 }
    expect(await inBWith(begun(A), begun(B))).toEqual([{ ...found, transcript: null }])
    expect(await inBWith(begun(A, { asked: START + 6_000 }), begun(B, { asked: START + 8_000 }))).toEqual([
      { ...found, transcript: `${at(B)}.jsonl`, asked: START + 8_000, used: START },
    ])
  })

  test('has nothing that another number began, that began before it, or that was only resumed since', async () => {
    expect(await inBWith(begun(B, { pid: 22 }))).toEqual([])
    expect(await inBWith(begun(B, { started: START - 60_000 }))).toEqual([])
    expect(await inBWith(begun(B, { asked: START - 60_000 }))).toEqual([])
    expect(await inBWith({ [`${at(B)}.runtime.json`]: begun(C)[`${at(C)}.runtime.json`] ?? '' })).toEqual([])
  })

  test('waits for its own record as long as there is none', async () => {
    expect(await qwen.findings(memoryLook({ files: begun(B), selves: inB }))).toEqual([])
  })
})

describe('a lock of copilot', () => {
  const at = (id: string) => `/h/.copilot/session-state/${id}`
  const filesOf = (id: string) => ({ [`${at(id)}/inuse.21.lock`]: '21\n', [`${at(id)}/inuse.21.hold`]: '', [`${at(id)}/events.jsonl`]: '' })
  const files = { ...filesOf(A), ...filesOf(B) }
  const holding = (...ids: readonly string[]) => ['/dev/pts/3', ...ids.map((id) => `${at(id)}/inuse.21.hold`)]

  test('is that of the process which holds the file beside it open', async () => {
    expect(await copilot.findings(memoryLook({ files, selves: inA, open: holding(A) }))).toEqual([
      { id: A, provenance: 'registration', transcript: `${at(A)}/events.jsonl`, began: null },
    ])
    expect(await idsOf(copilot, { files, selves: inB, open: holding(B) })).toEqual([B])
    expect(await idsOf(copilot, { files, selves: outside(7), open: holding(B) })).toEqual([B])
  })

  test('is nobody’s in a sandbox where nothing is held open: it may be one that was killed with its sandbox', async () => {
    expect(await idsOf(copilot, { files: filesOf(A), selves: inB, open: holding() })).toEqual([])
    expect(await idsOf(copilot, { files: { [`${at(A)}/inuse.21.lock`]: '21\n' }, selves: inB })).toEqual([])
  })

  test('of a sandbox is not that of the process outside with that number', async () => {
    expect(await idsOf(copilot, { files: filesOf(A), selves: outside(21), open: holding() })).toEqual([])
  })

  test('is not counted by a file of its program that is held open too', async () => {
    const open = ['/h/.cache/copilot/pkg/linux-x64/1.0.102/inuse.21.hold', `${at(A)}/inuse.21.hold (deleted)`]
    expect(await idsOf(copilot, { files, selves: inA, open })).toEqual([])
  })

  test('beside a second one leaves it unknown which conversation it is, and says why', async () => {
    const candidates = await copilot.findings(memoryLook({ files, selves: inA, open: holding(A, B) }))
    const decided = (known: Finding | null) =>
      decide({
        ...{ agent: copilot, known, candidates, claimed: new Set<string>(), process: { startedAt: START }, now: START + 9_000 },
        ...{ workingSince: null, rivals: [] },
      })
    expect(decided(null)).toMatchObject({
      ...{ kind: 'keep', finding: null },
      rejections: [{ why: 'cannot be told apart' }, { why: 'cannot be told apart' }],
    })
    expect(decided({ id: B, provenance: 'registration', transcript: null, began: null })).toMatchObject({
      kind: 'keep',
      finding: { id: B },
    })
  })
})

test('a conversation of cline names its process by the number alone: in a sandbox only directory and times count', async () => {
  const id = `${START + 5_000}_0ecbk`
  const entry = { session_id: id, pid: 21, started_at: new Date(START + 5_000).toISOString(), interactive: true, cwd: '/p/one' }
  const messages = JSON.stringify({ messages: [{ role: 'user', ts: START + 8_000 }] })
  const path = `/h/.cline/data/sessions/${id}/${id}`
  const files = { [`${path}.json`]: JSON.stringify(entry), [`${path}.messages.json`]: messages }
  expect(await cline.findings(memoryLook({ files, selves: inA }))).toMatchObject([{ id, provenance: 'store', asked: START + 8_000 }])
  expect(await cline.findings(memoryLook({ files, selves: inB, cwd: '/p/two' }))).toEqual([])
  expect(await cline.findings(memoryLook({ files, selves: outside(21) }))).toMatchObject([{ id, provenance: 'registration' }])
})

test('where a start is a date, as on macOS, it is not compared', () => {
  const self: SelfName = { pid: 7, start: 'Mon Nov 16 09:00:00 2026', space: null, isInside: false }
  expect(isSelf(self, { pid: 7, start: 'Mon 16 Nov 09:00:00 2026', space: null })).toBe(true)
  expect(isSelf(self, { pid: 8, start: null, space: null })).toBe(false)
  expect(isSelf(self, { pid: null, start: null, space: null })).toBe(false)
})
