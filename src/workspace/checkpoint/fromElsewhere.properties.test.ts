import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryEvent, asleep, holdsOnlyItsOwn, live, runId, settling, terminalId, waking } from '../../../test/support/terminals.ts'
import { checkpointOf, entry, placed } from '../../../test/support/workspaces.ts'
import { carriedFlags } from '../../agents/argv.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { isSize } from '../../base/size.ts'
import { wouldStart } from '../resume/wouldStart.ts'
import { argvFor } from '../terminal/resume.ts'
import { step } from '../terminal/step.ts'
import {
  type Because,
  type Kept,
  type OnRestore,
  PROGRAM_GRANTS,
  type Restore,
  type Spec,
  type SpecBackend,
  type Terminal,
} from '../terminal/terminal.ts'
import { isSafeText } from '../text.ts'
import type { Wrapper } from '../wrapper/wrapper.ts'
import { checkpointFromElsewhere, type Here, terminalFromElsewhere } from './fromElsewhere.ts'
import { planWakes } from './planRestoreWakes.ts'

const NOW = 1_000
const here: Here = { agents: AGENTS, shell: '/bin/sh', home: '/home/me', now: NOW, from: 'their\x1b[31mlaptop' }
const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '/bin/sh',
    'claude',
    '/tmp/evil/claude',
    'bwrap',
    '--',
    '-c',
    'touch /tmp/owned',
    '\x1b]52;c;eA==\x07',
    '--resume',
    ID,
  ),
)
const words = fc.array(text, { maxLength: 6 })
const env = fc.dictionary(fc.constantFrom('LD_PRELOAD', 'BASH_ENV', 'NODE_OPTIONS', 'PATH'), text)
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e9, -1, 0, NOW * 2, Number.MAX_SAFE_INTEGER))
const backend = fc.constantFrom<SpecBackend | undefined>(
  undefined,
  { kind: 'tmux' },
  { kind: 'guest', socket: '/tmp/evil.sock', pane: '%1', pid: 1, session: 's' },
)
const agentName = fc.oneof(fc.constantFrom(...AGENTS.map(({ id }) => id)), text)
const id = fc.oneof(fc.constantFrom(ID, '-p', '--dangerously-skip-permissions', '../../x', 'ses_0123456789abcdef'), text)

const spec: fc.Arbitrary<Spec> = fc
  .record({
    ...{ command: text, args: words, cwd: text, env, size: fc.record({ cols: number, rows: number }), backend },
    may: fc.option(fc.constantFrom(...PROGRAM_GRANTS), { nil: undefined }),
    withheld: fc.option(fc.record({ args: fc.nat(), env: fc.nat() }), { nil: undefined }),
  })
  .map(({ backend: chosen, may, withheld, ...rest }) => ({
    ...rest,
    ...(chosen === undefined ? {} : { backend: chosen }),
    ...(may === undefined ? {} : { may }),
    ...(withheld === undefined ? {} : { withheld }),
  }))
const wrapper = fc.oneof<fc.Arbitrary<{ readonly wrapper?: Wrapper }>[]>(
  fc.constantFrom({}, { wrapper: { kind: 'none' } as const }),
  fc.record({ kind: fc.constant('line' as const), before: words }).map((line) => ({ wrapper: line })),
  fc.record({ kind: fc.constant('unsure' as const), ran: text, why: text }).map((unsure) => ({ wrapper: unsure })),
)
const restore: fc.Arbitrary<Restore> = fc.oneof(
  fc.constant<Restore>({ kind: 'shell' }),
  fc.record({ kind: fc.constant('unknown' as const), agent: agentName }),
  fc
    .tuple(fc.record({ kind: fc.constant('quit' as const), agent: agentName, id: fc.option(id) }), wrapper)
    .map(([left, around]) => ({ ...left, ...around })),
  fc.record({ kind: fc.constant('conversation' as const), agent: agentName, id, provenance: text, argv: words, cwd: text, env }),
  fc
    .record({ agent: fc.constantFrom(...AGENTS), flags: words, path: fc.constantFrom('', '/tmp/evil/'), around: wrapper })
    .map(({ agent, flags, path, around }): Restore => {
      const argv = [`${path}${agent.recognise.names[0] ?? agent.id}`, '--resume', ID, ...flags]
      return { kind: 'conversation', agent: agent.id, id: ID, provenance: 'hook', argv, env: { NODE_OPTIONS: '--require x' }, ...around }
    }),
)
const because = fc.oneof<fc.Arbitrary<Because>[]>(
  fc.constantFrom<Because>({ kind: 'lost' }, { kind: 'slept', by: 'idle' }, { kind: 'exited', status: { code: 0 } }),
  text.map((reason): Because => ({ kind: 'failed', reason, resumed: null })),
)

/** Any record that the decoder of the store would take. */
const record: fc.Arbitrary<Terminal> = fc
  .record({
    ...{
      name: fc.option(text),
      spec,
      restore,
      title: text,
      theme: fc.option(text),
      since: number,
      created: number,
      touched: number,
      because,
    },
    ...{ onRestore: fc.constantFrom<OnRestore>('wake', 'policy', 'sleep'), private: fc.boolean(), pinned: fc.boolean() },
    state: fc.constantFrom('asleep', 'waking', 'live', 'settling'),
  })
  .map(({ state, because: why, since, ...kept }): Terminal => {
    const changes = { ...kept, id: terminalId(1) } satisfies Partial<Kept>
    if (state === 'asleep') return asleep({ ...changes, since, because: why, lastRun: runId(1) })
    if (state === 'waking') return waking({ ...changes, since })
    return state === 'live' ? live({ ...changes, since, agent: 'claude' }) : settling(changes)
  })

const ways = { table: {}, agents: AGENTS, shell: '/bin/sh' }
const always = <Value>(arbitrary: fc.Arbitrary<Value>, promise: (value: Value) => void) =>
  fc.assert(fc.property(arbitrary, promise), { numRuns: 500 })

describe('whatever a record from elsewhere says', () => {
  test('it is asleep, has no environment and no backend, is marked, and holds nothing that it should not', () => {
    always(record, (theirs) => {
      const terminal = terminalFromElsewhere(theirs, here)
      expect(terminal).toMatchObject({ state: 'asleep', since: NOW, because: { kind: 'slept' }, onRestore: 'sleep', unread: false })
      expect(Object.keys(terminal.because)).toEqual(['kind'])
      expect(terminal.spec.env).toEqual({})
      expect(terminal.spec).not.toHaveProperty('backend')
      expect(terminal.spec).not.toHaveProperty('may')
      expect(terminal.spec.withheld).toEqual(theirs.spec.withheld)
      expect(terminal.restore).not.toHaveProperty('env')
      expect(isSize(terminal.spec.size)).toBe(true)
      expect(terminal.spec.cwd.startsWith('/')).toBe(true)
      expect(terminal.imported).toEqual({ from: 'their[31mlaptop', at: NOW })
      const { imported: _, ...rest } = terminal
      expect(holdsOnlyItsOwn(rest)).toBe(true)
      for (const shown of [terminal.title, terminal.name ?? '', terminal.theme ?? '', terminal.spec.cwd])
        expect(isSafeText(shown)).toBe(true)
    })
  })

  test('a resume is the recipe of a known agent for an id of its own shape, and nothing else', () => {
    always(record, (theirs) => {
      const { restore: target } = terminalFromElsewhere(theirs, here)
      if (target.kind === 'shell') return
      if (target.kind !== 'unknown') expect(target.wrapper?.kind).not.toBe('line')
      const agent = AGENTS.find((known) => known.id === target.agent)
      expect(agent).toBeDefined()
      if (agent === undefined || target.kind !== 'conversation') return
      expect(agent.idPattern.test(target.id)).toBe(true)
      const [program = '', ...args] = target.argv
      expect(agent.recognise.names.includes(program) || program === agent.id).toBe(true)
      const recipe = agent.resume?.(target.id) ?? []
      expect(args.slice(0, recipe.length)).toEqual(recipe)
      const flags = args.slice(recipe.length)
      expect(carriedFlags(agent, [program, ...flags])).toEqual(flags)
    })
  })

  test('no policy wakes it, and no event starts it before the user has confirmed it', () => {
    const event = fc.oneof(arbitraryEvent(fc.constant(runId(9))))
    always(fc.tuple(record, fc.array(event, { maxLength: 8 })), ([theirs, events]) => {
      const imported = terminalFromElsewhere(theirs, here)
      const policy = { wake: 'all', staggerMs: 0, cap: 10, overrides: { [imported.id]: 'wake' } } as const
      expect(planWakes([{ entry: entry(imported), isCwdMissing: false }], { policy, focused: null }).wakes).toEqual([])
      let terminal: Terminal | null = imported
      for (const each of events) {
        if (terminal === null) return
        const outcome = step(terminal, each, NOW)
        expect(outcome.effects.map(({ kind }) => kind)).not.toContain('spawn')
        terminal = outcome.terminal
        if (terminal !== null) expect(terminal).toMatchObject({ state: 'asleep', imported: { at: NOW } })
      }
    })
  })

  test('what it would start can be read in one line, without a control character', () => {
    always(record, (theirs) => {
      const terminal = terminalFromElsewhere(theirs, here)
      for (const mode of ['resume', 'fresh'] as const) {
        const { command, environment } = wouldStart(terminal, mode, ways)
        expect(isSafeText(command)).toBe(true)
        expect(environment).toEqual({})
      }
    })
  })

  test('coming from elsewhere once more changes nothing but the name of the place', () => {
    always(record, (theirs) => {
      const once = terminalFromElsewhere(theirs, here)
      expect(terminalFromElsewhere(once, here)).toEqual(once)
    })
  })
})

test('a confirmed wake starts it, and the mark is gone for good', () => {
  const imported = terminalFromElsewhere(live(), here)
  const { terminal, effects } = step(imported, { kind: 'wakeAsked', run: runId(3), mode: 'resume', isConfirmed: true }, NOW)
  expect(effects.map(({ kind }) => kind)).toEqual(['keep', 'spawn', 'announce'])
  expect(terminal).not.toHaveProperty('imported')
})

test('an agent that ran in a sandbox is not resumed outside of it', () => {
  const argv = ['bwrap', '--ro-bind', '/', '/', 'claude', '--resume', ID]
  const wrapped = asleep({ restore: { kind: 'conversation', agent: 'claude', id: ID, provenance: 'hook', argv } })
  expect(terminalFromElsewhere(wrapped, here).restore).toEqual({ kind: 'shell' })
  const later = {
    kind: 'conversation',
    agent: 'claude',
    id: ID,
    provenance: 'hook',
    argv: ['claude', '--resume', ID],
    inside: ['bwrap'],
  } as const
  expect(terminalFromElsewhere(asleep({ restore: later as Restore }), here).restore).toEqual({ kind: 'shell' })
})

test('the command line of a wrapper is only shown, and the conversation is not resumed without it unless the user says so', () => {
  const conversation = { kind: 'conversation', agent: 'claude', id: ID, provenance: 'hook', argv: ['claude', '--resume', ID] } as const
  const line = { kind: 'line', before: ['evil', '--', 'claude'] } as const
  const imported = terminalFromElsewhere(asleep({ restore: { ...conversation, wrapper: line } }), here)
  expect(imported.restore).toMatchObject({ kind: 'conversation', wrapper: { kind: 'unsure', ran: 'evil -- claude' } })
  expect(argvFor(imported, 'resume', ways).unsure).toMatchObject({ ran: 'evil -- claude' })
  const plain = terminalFromElsewhere(asleep({ restore: { ...conversation, wrapper: { kind: 'none' } } }), here)
  expect(argvFor(plain, 'resume', ways)).toMatchObject({ command: 'claude', args: ['--resume', ID] })
})

test('an agent keeps the flags that restrict it, and is found by its name alone', () => {
  const argv = ['/opt/evil/claude', '--resume', 'x', '--permission-mode', 'plan', 'do harm']
  const theirs = asleep({ restore: { kind: 'conversation', agent: 'claude', id: ID, provenance: 'hook', argv, cwd: '/src' } })
  expect(terminalFromElsewhere(theirs, here).restore).toEqual({
    ...{ kind: 'conversation', agent: 'claude', id: ID, provenance: 'hook', cwd: '/src' },
    argv: ['claude', '--resume', ID, '--permission-mode', 'plan'],
  })
})

test('names, colours and places of a layout that none can have are replaced', () => {
  const terminal = asleep({ id: terminalId(1) })
  const topology = placed(terminal)
  const groups = topology.groups.map((group) => ({
    ...group,
    name: '\x1b[31m',
    color: 'javascript:alert(1)',
    workspaces: group.workspaces.map((workspace) => ({
      ...workspace,
      name: '',
      canvas: { [terminal.id]: { x: Number.NaN, y: 0, width: 1e99, height: 1 } },
    })),
  }))
  const { topology: ours } = checkpointFromElsewhere(
    checkpointOf({ topology: { ...topology, groups }, terminals: [entry(terminal)] }),
    here,
  )
  expect(ours.groups[0]).toMatchObject({ name: 'imported', color: 'blue', workspaces: [{ name: 'imported', canvas: {} }] })
})
