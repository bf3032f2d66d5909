import { expect, test } from 'vitest'
import type { OptionShown } from '../../../wire/commands/config.ts'
import { editorOf, labelOf, optionGroups, readList, readNumber, rowsOf, tableOf, valueText } from './options.ts'

const option = (key: string, value: unknown, changes: Partial<OptionShown> = {}): OptionShown => ({
  key,
  type: 'text',
  bounds: '',
  sentence: '',
  choices: null,
  value,
  default: value,
  isSet: false,
  needsRestart: false,
  ...changes,
})

test('each kind of option has the editor that fits it', () => {
  const kinds = [
    option('web.enabled', true),
    option('web.port', 1),
    option('shell', ''),
    option('env.allow', []),
    option('log_level', 'info', { choices: ['info', 'warn'] }),
    option('resume', {}, { type: 'section of lists' }),
    option('agents', {}),
  ].map((each) => editorOf(each).kind)
  expect(kinds).toEqual(['flag', 'number', 'text', 'list', 'choice', 'lists', 'file'])
})

test('colour schemes are chosen by the names that people know', () => {
  expect(editorOf(option('page.terminal_theme', 'nord', { choices: ['nord', 'one-dark'] }))).toMatchObject({
    choices: [
      { value: 'nord', label: 'Nord' },
      { value: 'one-dark', label: 'One dark' },
    ],
  })
})

test('a number knows its bounds, whatever unit is said beside them', () => {
  expect(editorOf(option('a', 1, { bounds: '8 to 32' }))).toEqual({ kind: 'number', min: 8, max: 32, scale: 1, wrong: 'A: 8–32' })
  expect(editorOf(option('a', 1, { bounds: '262144 (256 KiB) to 1073741824 (1 GiB)' }))).toMatchObject({ min: 262_144, max: 1_073_741_824 })
  expect(editorOf(option('a', 1))).toEqual({ kind: 'number', min: null, max: null, scale: 1, wrong: 'A: a number' })
})

test('milliseconds are shown as seconds, idle seconds as minutes, and come back as they were', () => {
  const settle = editorOf(option('settle_ms', 2_500, { bounds: '0 to 60000' }))
  expect(settle).toEqual({ kind: 'number', min: 0, max: 60, scale: 1_000, wrong: 'Time to quit (s): 0–60' })
  if (settle.kind !== 'number') throw new Error('no number')
  expect(['2.5', '0', '60', '60.001', '0.0001'].map((text) => readNumber(text, settle))).toEqual([2_500, 0, 60_000, null, null])
  expect(editorOf(option('sleep.idle_s', 60, { bounds: '0 to 600' }))).toMatchObject({ max: 10, scale: 60 })
})

test('choices are words, not keys', () => {
  const editor = editorOf(option('size_policy', 'last-typed', { choices: ['last-typed', 'smallest', 'ask', 'system'] }))
  expect(editor).toMatchObject({
    choices: ['Last typed in', 'Smallest', 'Ask first', 'System'].map((label) => ({ label })),
  })
})

test('options stand in sections, those of the page first; shortcuts are elsewhere', () => {
  const all = [option('shell', ''), option('web.port', 1), option('page.theme', 'dark'), option('page.keys', {}), option('resume', {})]
  expect(optionGroups(all, '').map(({ title, options }) => [title, options.map(({ key }) => key)])).toEqual([
    ['This page', ['page.theme']],
    ['Terminals', ['shell']],
    ['Web', ['web.port']],
    ['Resuming', ['resume']],
  ])
})

test('a search finds options by their names, sentences and sections', () => {
  const all = [option('web.port', 1, { sentence: 'Where the page is.' }), option('page.font_size', 1)]
  const found = (search: string) => optionGroups(all, search).flatMap(({ options }) => options.map(({ key }) => key))
  expect([found('font size'), found('WHERE web'), found('nothing')]).toEqual([['page.font_size'], ['web.port'], []])
})

test('values are read as they are typed, and said as people say them', () => {
  expect(readList(' A, B  C_*,')).toEqual(['A', 'B', 'C_*'])
  const whole = { min: 8, max: 32, scale: 1 }
  expect([' 12 ', '1.5', '33', 'x', ''].map((text) => readNumber(text, whole))).toEqual([12, null, null, null, null])
  expect(['', true, false, [], ['a', 'b'], 3, {}].map(valueText)).toEqual(['empty', 'on', 'off', 'none', 'a, b', '3', 'built in'])
  expect(labelOf('page.font_size')).toBe('Font size')
})

test('a table of lists is rows of words and comes back as it was', () => {
  const table = { claude: ['--continue'], mine: ['-r', 'last'] }
  expect(tableOf(rowsOf(table))).toEqual(table)
  expect(tableOf([{ name: ' ', words: 'x' }])).toEqual({})
})
