import { expect, test } from 'vitest'
import { compare, type Expected, emptyModel, loseRun, type Model, type Seen, type Sight } from './model.ts'

const seen = (changes: Partial<Seen> = {}): Seen => ({ id: 't1', name: 'a', fate: 'live', place: 'w1', run: 'r1', ...changes })
const sight = (...terminals: Seen[]): Sight => ({
  terminals,
  workspaces: [{ id: 'w1', name: 'main', terminals: terminals.map(({ id }) => id) }],
})

function modelOf(...changes: Partial<Expected>[]): Model {
  const model = emptyModel()
  model.workspaces = [{ id: 'w1', names: ['main'], exists: 'yes' }]
  model.terminals = changes.map((each) => ({
    ...{
      id: 't1',
      token: 'x',
      names: ['a'],
      places: ['w1'],
      fates: ['live'],
      exists: 'yes',
      run: 'r1',
      mayRunAnew: false,
      mayMove: false,
      shown: null,
      torn: null,
    },
    ...each,
  }))
  return model
}

const before = sight(seen())

test('what is as promised has no fault', () => {
  expect(compare(modelOf({}), before, before)).toEqual([])
})

test.each<[string, Partial<Expected>, Seen[]]>([
  ['a lost terminal', {}, []],
  ['one that was closed and is back', { exists: 'no' }, [seen()]],
  ['one that nobody asked for', {}, [seen(), seen({ id: 't2', name: 'b' })]],
  ['another name', {}, [seen({ name: 'b' })]],
  ['another place', {}, [seen({ place: 'w2' })]],
  ['another state', { fates: ['slept'] }, [seen()]],
  ['another run', {}, [seen({ run: 'r2' })]],
])('%s is a fault', (_, changes, after) => {
  expect(compare(modelOf(changes), before, sight(...after))).toHaveLength(1)
})

test('what was under way may have happened or not, and is settled by what is seen', () => {
  for (const name of ['a', 'b']) {
    const model = modelOf({ names: ['a', 'b'] })
    expect(compare(model, before, sight(seen({ name })))).toEqual([])
    expect(model.terminals[0]?.names).toEqual([name])
  }
  expect(compare(modelOf({ exists: 'maybe' }), before, sight())).toEqual([])
})

test('a terminal whose making was never answered is known by its name, and only once', () => {
  const made: Partial<Expected> = { id: null, names: ['new'], exists: 'maybe', run: null, mayMove: true }
  const one = seen({ id: 't2', name: 'new' })
  expect(compare(modelOf({}, made), before, sight(seen(), one))).toEqual([])
  expect(compare(modelOf({}, made), before, sight(seen(), one, { ...one, id: 't3' }))).toEqual(['terminal t3 (new) was never asked for'])
})

test('those who were not asked to move keep their order', () => {
  const two = modelOf({}, { id: 't2', names: ['b'], run: 'r2' })
  const [a, b] = [seen(), seen({ id: 't2', name: 'b', run: 'r2' })]
  expect(compare(two, sight(a, b), sight(b, a))).toEqual(['the dock has another order', 'workspace w1 has another order'])
})

test('a killed holder turns live into lost, and leaves what slept asleep', () => {
  const model = modelOf({}, { fates: ['slept'] }, { fates: ['live', 'slept'] })
  for (const expected of model.terminals) loseRun(model, expected)
  expect(model.terminals.map(({ fates }) => fates)).toEqual([['lost'], ['slept'], ['slept', 'lost']])
})
