import { expect, it } from 'vitest'
import { asleep, live, settling, waking } from '../../../test/support/terminals.ts'
import { defaultConfig } from '../../wire/config/config.ts'
import { ABSENT, terminalViewSchema } from '../../wire/view.ts'
import { emptyTopology } from '../../workspace/layout/topology.ts'
import { viewOf } from './view.ts'

const none = () => null
const WORLD: Parameters<typeof viewOf>[1] = {
  topology: emptyTopology({ group: 'g1', workspace: 'w1' } as never),
  sizes: { sizedBy: () => ({ kind: 'nobody' }) },
  config: defaultConfig,
  agents: { shown: none, cameBack: none, couldOwn: () => false } as never,
  verification: { troubleOf: none },
  activity: { of: none },
  checkpoints: { seen: { of: () => ({ cwd: null, env: {} }) } } as never,
  repositories: { of: none } as never,
  wakePhases: { phaseOf: none },
}
const views = [asleep(), waking(), live(), settling()].map((terminal) => viewOf(terminal, WORLD))

it('has the same fields in JSON in every state, null where the state lacks them', () => {
  const fields = views.map((view) => Object.keys(JSON.parse(JSON.stringify(view)) as object).sort())
  for (const each of fields) expect(each).toEqual(fields[0])
  expect(fields[0]).toEqual(expect.arrayContaining(Object.keys(ABSENT)))
  expect(views.map(({ state }) => state)).toEqual(['asleep', 'waking', 'live', 'settling'])
})

it('is what its schema says: a client that decodes it finds only what the state has', () => {
  const decoded = views.map((view) => terminalViewSchema.parse(JSON.parse(JSON.stringify(view))))
  expect(decoded.map((view) => 'because' in view)).toEqual([true, false, false, false])
  expect(decoded.map((view) => 'agent' in view)).toEqual([false, false, true, false])
  expect(decoded.map((view) => 'settlesTo' in view)).toEqual([false, false, false, true])
})
