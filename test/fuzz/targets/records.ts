/** Records of a database that may have been copied, edited or damaged. */
import fc from 'fast-check'
import {
  decodeAgent,
  decodeCheckpoint,
  decodeClosed,
  decodeEnvironment,
  decodeHostId,
  decodeTerminal,
  decodeTopology,
} from '../../../src/store/record.ts'
import { asleep, runId, terminalId } from '../../support/terminals.ts'
import { checkpointOf, entry, placed } from '../../support/workspaces.ts'
import { changedJson, jsonTextOf, nastyJson } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const terminal = asleep({ id: terminalId(1), lastRun: runId(1) })
const topology = placed(terminal)
const checkpoint = checkpointOf({ topology, terminals: [entry(terminal, {})] })
const closed = { at: 1, until: 2, before: topology, seen: { cwd: '/x', env: {} }, worktree: null }
const KEYS = [
  'id',
  'state',
  'spec',
  'args',
  'env',
  'groups',
  'workspaces',
  'layout',
  'root',
  'children',
  'node',
  'kind',
  'terminals',
  'dock',
]
const good = fc.constantFrom<unknown>(
  terminal,
  topology,
  checkpoint,
  closed,
  { A: 'b' },
  { agent: 'claude', conversation: null, details: {} },
)

const deepLayout = (levels: number): string => {
  const node = `{"kind":"split","direction":"row","children":[{"size":1,"node":`
  const whole = JSON.stringify({ ...topology, groups: [{ id: 'g', name: '', color: '', workspaces: [] }] })
  return whole.replace(
    '"workspaces":[]',
    `"workspaces":[{"layout":{"zoomed":null,"root":${node.repeat(levels)}null${'}]}'.repeat(levels)}}]`,
  )
}

export const records = fuzzTarget({
  name: 'records',
  what: 'The decoders of terminals, layouts, checkpoints and the rest of what is kept in the database.',
  cases: 200,
  input: fc.oneof(
    { weight: 12, arbitrary: jsonTextOf(fc.oneof(changedJson(good, nastyJson(KEYS)), good)) },
    fc.constantFrom(2, 2, 2, 5_000).map(deepLayout),
  ),
  open: () => ({
    judge: (raw) => {
      const found = decodeTerminal(terminal.id, raw)
      if (found.ok) demand(decodeTerminal(terminal.id, JSON.stringify(found.value)).ok, 'a decoded terminal is refused the second time')
      const layout = decodeTopology(raw)
      if (layout.ok) demand(decodeTopology(JSON.stringify(layout.value)).ok, 'a decoded layout is refused the second time')
      decodeClosed(terminal.id, { record: JSON.stringify(terminal), closed: raw })
      decodeCheckpoint(raw)
      decodeEnvironment(raw)
      decodeAgent(raw)
      decodeHostId(raw)
    },
  }),
})
