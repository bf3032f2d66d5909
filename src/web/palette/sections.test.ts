import { describe, expect, test } from 'vitest'
import { pageSettings } from '../../../test/support/pageSettings.ts'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalId } from '../../base/ids.ts'
import { refusals } from '../../base/refusal.ts'
import type { TopologyView } from '../../wire/topologyView.ts'
import type { AgentView } from '../../wire/view.ts'
import { type Given, readText, searchFor, sectionsOf } from './sections.ts'

const agent: AgentView = {
  name: 'codex',
  label: 'Codex',
  pid: 1,
  state: 'needs-you',
  wants: 'question',
  since: 0,
  words: 'Which one?',
  model: null,
  title: null,
  tokens: null,
}
const slot = (id: string) => ({ root: { kind: 'slot', terminals: [id as TerminalId], active: id as TerminalId } as const, zoomed: null })
const topology: TopologyView = {
  groups: [
    {
      id: 'g',
      name: 'g',
      color: 'blue',
      workspaces: [
        { id: 'w1', name: 'front', view: 'split', layout: slot('t1'), canvas: {} },
        { id: 'w2', name: 'back', view: 'split', layout: slot('t2'), canvas: {} },
      ],
    },
  ],
  dock: ['t1', 't2', 't3'],
}
const terminals = [
  terminalView({ id: 't1', name: 'server' }),
  terminalView({ id: 't2', name: 'builder' }),
  terminalView({ id: 't3', name: 'asker', agent }),
]
const checkpoint = {
  id: 'c1',
  at: 0,
  kind: 'manual',
  note: 'before all',
  knownGood: true,
  terminalCount: 3,
  bytes: 1,
  stateHash: '',
  session: '',
} as const
const hit = {
  terminal: 't2',
  run: 'r',
  isPast: false,
  number: 7,
  at: 0,
  line: '   a needle here',
  spans: [{ from: 5, to: 11 }],
  before: [],
  after: [],
}
const answer = { hits: [hit, hit, { ...hit, terminal: 'gone' }], more: false, pending: [], terminals: [] }
const given = (changes: Partial<Given> = {}): Given => ({
  state: { terminals, topology, settings: pageSettings(), focused: 't1', workspace: 'w1' },
  isPossible: () => true,
  recents: [],
  checkpoints: { kind: 'answered', value: [checkpoint] },
  closed: { kind: 'idle' },
  hits: { kind: 'idle' },
  now: 0,
  ...changes,
})
const shape = (text: string, changes: Partial<Given> = {}) =>
  Object.fromEntries(
    sectionsOf(text, undefined, given(changes)).map(({ title, entries }) => [title, entries.map(({ entry }) => entry.label)]),
  )

describe('without a text', () => {
  test('who needs somebody is first, then the others, where one is last', () => {
    expect(Object.keys(shape(''))).toEqual(['Needs you', 'Terminals', 'Actions', 'Workspaces', 'Checkpoints'])
    expect(shape('')).toMatchObject({
      'Needs you': ['asker'],
      Terminals: ['builder', 'server'],
      Workspaces: ['back'],
      Checkpoints: ['before all'],
    })
  })

  test('terminals that were used last come first', () => {
    const changes = { state: { ...given().state, focused: null }, recents: ['terminal t2'] }
    expect(shape('', changes)['Terminals']).toEqual(['builder', 'server'])
  })
})

test('a terminal of another workspace says which one', () => {
  const found = sectionsOf('builder', undefined, given()).find(({ title }) => title === 'Terminals')?.entries[0]
  expect(found?.entry).toMatchObject({ detail: expect.stringContaining('back'), choice: { kind: 'terminal', id: 't2' } })
})

test('a sign in front narrows it to terminals, actions or history', () => {
  expect([readText('> close'), readText('#needle'), readText('@x'), readText(' x ')]).toEqual([
    { mode: 'actions', query: 'close' },
    { mode: 'history', query: 'needle' },
    { mode: 'terminals', query: 'x' },
    { mode: 'all', query: 'x' },
  ])
  expect(Object.keys(shape('>'))).toEqual(['Terminal', 'Layout', 'Canvas', 'Workspace', 'Checkpoints', 'Page'])
  expect(Object.keys(shape('@'))).toEqual(['Needs you', 'Terminals'])
  expect(shape('> close terminal')['Actions']?.[0]).toBe('Close terminal')
})

test('what is not possible now is not offered', () => {
  expect(shape('>', { isPossible: ({ id }) => id === 'page.settings' })).toEqual({ Page: ['Settings'] })
})

describe('the history', () => {
  test('is asked for three letters and more, and not where something else is chosen among', () => {
    expect([searchFor('ab', undefined), searchFor('abc', undefined), searchFor('# abc', undefined)]).toEqual([null, 'abc', 'abc'])
    expect([searchFor('>abc', undefined), searchFor('abc', { kind: 'move', terminal: 't1' })]).toEqual([null, null])
  })

  test('shows each line once, without its indent, its words marked', () => {
    const history = sectionsOf('#needle', undefined, given({ hits: { kind: 'answered', value: answer } }))[0]
    expect(history?.entries).toHaveLength(1)
    expect(history?.entries[0]).toMatchObject({
      entry: { label: 'a needle here', choice: { kind: 'line', terminal: 't2', text: 'needle' } },
      spans: [{ from: 2, to: 8 }],
    })
  })

  test('says what it waits for, and what is wrong', () => {
    const note = (hits: Given['hits'], text = '#needle') => sectionsOf(text, undefined, given({ hits }))[0]?.note
    expect(note({ kind: 'asking', last: null })).toBe('Searching…')
    expect(note({ kind: 'idle' }, '#n')).toBe('Type at least three letters.')
    expect(note({ kind: 'answered', value: { ...answer, hits: [] } })).toBe('No matches in history')
    expect(note({ kind: 'answered', value: { ...answer, more: true } })).toContain('more')
    expect(note({ kind: 'refused', refusal: refusals.diskFailed('full') })).toContain('full')
  })
})

describe('a topic', () => {
  test('says of colours and workspaces which is the present one', () => {
    const [colours] = sectionsOf('', { kind: 'theme', terminal: 't1' }, given())
    expect(colours?.entries[0]?.entry).toMatchObject({ label: 'Default', detail: 'current' })
    const [move] = sectionsOf('ba', { kind: 'move', terminal: 't1' }, given())
    expect(move?.entries[0]?.entry).toMatchObject({ choice: { kind: 'move', terminal: 't1', workspace: 'w2' } })
  })

  test('lists what can be reopened, and says when there is nothing', () => {
    const closed = { id: 't9', name: 'api', command: 'claude', directory: '/home/mia/api', workspace: 'main', at: 0, until: 300_000 }
    const [found] = sectionsOf('', { kind: 'closed' }, given({ closed: { kind: 'answered', value: [closed] }, now: 1_000 }))
    expect(found?.entries[0]?.entry).toMatchObject({
      label: 'api',
      detail: 'main · ~/api · closed just now',
      choice: { kind: 'reopen', id: 't9' },
    })
    const [none] = sectionsOf('', { kind: 'closed' }, given({ closed: { kind: 'answered', value: [] } }))
    expect(none?.note).toBe('No terminal was closed in the last five minutes.')
  })
})
