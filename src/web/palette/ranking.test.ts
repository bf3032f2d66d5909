import { expect, test } from 'vitest'
import { fitOf, rank, touched } from './ranking.ts'

const entry = (id: string, label: string, more: { readonly detail?: string; readonly also?: string } = {}) => ({
  id,
  label,
  detail: '',
  ...more,
})
const order = (labels: readonly string[], query: string, recents: readonly string[] = []) =>
  rank(
    labels.map((label) => entry(label, label)),
    { query, recents },
  ).map(({ entry: { id } }) => id)
const marked = (query: string, text: string) => fitOf(query, text)?.spans.map(({ from, to }) => text.slice(from, to))

test('the beginning of a word goes before its inside, and that before scattered letters', () => {
  expect(order(['s-e-r-v-e', 'observer', 'my server', 'server'], 'serve')).toEqual(['server', 'my server', 'observer', 's-e-r-v-e'])
})

test('what was typed is marked where it stands', () => {
  expect(marked('ter clo', 'Close terminal')).toEqual(['Clo', 'ter'])
  expect(marked('nwo', 'New options')).toEqual(['N', 'w', 'o'])
  expect(fitOf('xyz', 'Close terminal')).toBeNull()
  expect(marked('Term', 'newTerminal')).toEqual(['Term'])
})

test('every word must fit', () => {
  expect(order(['build web', 'build docs'], 'bui web')).toEqual(['build web'])
  expect(order(['build web'], 'build nothing')).toEqual([])
})

test('what was used last comes first among equals, and without a query', () => {
  expect(order(['alpha', 'alpine', 'also'], 'al', ['also'])).toEqual(['also', 'alpha', 'alpine'])
  expect(order(['a', 'b', 'c'], ' ', ['c', 'b'])).toEqual(['c', 'b', 'a'])
  expect(order(['nothing alike', 'tests'], 'tes', ['nothing alike'])).toEqual(['tests'])
})

test('what is shown beside the label, and words that are not shown, are found too, after the labels', () => {
  const entries = [entry('a', 'shell', { detail: '~/src/server' }), entry('b', 'quit', { also: 'server' }), entry('c', 'server')]
  expect(rank(entries, { query: 'server', recents: [] }).map(({ entry: { id } }) => id)[0]).toBe('c')
  expect(rank(entries, { query: 'server', recents: [] })).toHaveLength(3)
})

test('letters that change their length in lower case break nothing', () => {
  expect(fitOf('i', 'İstanbul')).toBeNull()
  expect(fitOf('stanbul', 'Istanbul')).not.toBeNull()
})

test('what is used is remembered once, the newest first, and not without end', () => {
  expect(touched(['a', 'b'], 'b')).toEqual(['b', 'a'])
  expect(
    touched(
      Array.from({ length: 200 }, (_, index) => String(index)),
      'new',
    ),
  ).toHaveLength(60)
})
