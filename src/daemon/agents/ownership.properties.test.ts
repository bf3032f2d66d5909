import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConversationWorld, KINDS } from '../../../test/support/conversationWorld.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { argvFor } from '../../workspace/terminal/resume.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'

const VERBS = ['prompt', 'startOver', 'quit', 'sleep', 'close', 'wake', 'look'] as const

type Act =
  | { readonly kind: 'start'; readonly agent: (typeof KINDS)[number]; readonly by: 'command' | 'shell' }
  | { readonly kind: 'on'; readonly verb: (typeof VERBS)[number]; readonly terminal: number }
  | { readonly kind: 'killDaemon' | 'startDaemon' | 'crash' | 'lookAtAll' }
  | { readonly kind: 'wait'; readonly ms: number }

/** One kind of agent in most stories: only then they can be taken for each other. */
const stories = fc.subarray([...KINDS], { minLength: 1, maxLength: 2 }).chain((agents) =>
  fc.array(
    fc.oneof<fc.WeightedArbitrary<Act>[]>(
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('start'), agent: fc.constantFrom(...agents), by: fc.constantFrom('command', 'shell') }),
      },
      { weight: 9, arbitrary: fc.record({ kind: fc.constant('on'), verb: fc.constantFrom(...VERBS), terminal: fc.nat(3) }) },
      { weight: 5, arbitrary: fc.constant({ kind: 'lookAtAll' }) },
      { weight: 2, arbitrary: fc.constantFrom<Act>({ kind: 'killDaemon' }, { kind: 'startDaemon' }, { kind: 'crash' }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(20, 300, 900, 3_000, 12_000, 60_000) }) },
    ),
    { maxLength: 50, size: 'max' },
  ),
)

function act(world: ConversationWorld, one: Act): void {
  const ids = [...world.terminals.keys()]
  switch (one.kind) {
    case 'start':
      if (ids.length < 4) world.start(one.agent, one.by)
      return
    case 'on': {
      const id = ids[one.terminal]
      if (id !== undefined) world[one.verb](id)
      return
    }
    case 'lookAtAll':
      for (const id of ids) world.look(id)
      return
    case 'wait':
      world.now += one.ms
      return
    default:
      world[one.kind]()
  }
}

const ways = { table: {}, agents: AGENTS, shell: '/bin/sh' }

/** The conversation that a wake of it would resume. */
function offered(terminal: Terminal): string | null {
  const { from } = argvFor(terminal, 'resume', ways)
  return from === 'conversation' && terminal.restore.kind === 'conversation' ? terminal.restore.id : null
}

test('no conversation is ever offered to two terminals, and none to a terminal that did not have it', () => {
  let bound = 0
  fc.assert(
    fc.property(stories, (story) => {
      const world = new ConversationWorld()
      for (const one of story) {
        act(world, one)
        const all = [...world.terminals.values(), ...world.closed]
        const offers = all.flatMap((terminal) => {
          const id = offered(terminal)
          return id === null ? [] : [{ id, terminal: terminal.id }]
        })
        const wrong = offers.find(({ id, terminal }) => world.had.get(terminal)?.has(id) !== true)
        if (wrong !== undefined) expect.fail(`${wrong.terminal} is offered ${wrong.id}, which it never had`)
        if (new Set(offers.map(({ id }) => id)).size < offers.length) expect.fail('two terminals are offered the same conversation')
        bound += offers.length
      }
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? 500) },
  )
  expect(bound).toBeGreaterThan(2_000) // it is not kept by never offering anything
})

test('two agents in one directory that are prompted one after the other each get their own, whatever was before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), stories, fc.integer({ min: 700, max: 9_000 }), (agent, before, pause) => {
      const world = new ConversationWorld()
      for (const one of before) act(world, one)
      world.startDaemon()
      for (const id of [...world.terminals.keys()]) world.close(id)
      world.now += 1_000
      const lookAtAll = () => act(world, { kind: 'lookAtAll' })
      for (const by of ['command', 'shell'] as const) {
        world.start(agent, by)
        world.now += 1_000
        lookAtAll()
      }
      for (const id of [...world.terminals.keys()].reverse()) {
        world.now += pause
        world.prompt(id)
        world.now += 400
        lookAtAll()
      }
      world.now += 30_000
      lookAtAll()
      expect([...world.terminals.values()].map(offered)).not.toContain(null)
    }),
    { numRuns: 300 },
  )
})
