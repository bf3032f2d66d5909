import { describe, expect, test } from 'vitest'
import { defaultConfig, parseConfig } from './config.ts'
import { editConfig } from './configEdit.ts'
import { showOptions, typedValue } from './configShown.ts'

const shown = (text: string, key: string) => {
  const parsed = parseConfig(text)
  return showOptions(parsed.ok ? parsed.config : defaultConfig, text).find((option) => option.key === key)
}

describe('an option is shown', () => {
  test('with its value as it would be set, its default, and whether the file has it', () => {
    expect(shown('size = "80x24"\n', 'size')).toMatchObject({ value: '80x24', default: '120x40', isSet: true, choices: null })
    expect(shown('', 'size')).toMatchObject({ value: '120x40', isSet: false })
    expect(shown('[page.keys]\nfind = "F3"\n', 'page.keys')).toMatchObject({ value: { find: 'F3' }, default: {}, isSet: true })
    expect(shown('env.allow = ["A"]\n', 'env.allow')).toMatchObject({ value: ['A'], default: [] })
  })

  test('with its choices, its bounds, and whether a running daemon hears of a change', () => {
    expect(shown('', 'page.clipboard')).toMatchObject({ choices: ['ask', 'allow', 'never'], needsRestart: false })
    expect(shown('', 'page.font_size')).toMatchObject({ bounds: '8 to 32', type: 'whole number' })
    for (const key of ['web.port', 'web.enabled', 'web.hosts', 'snapshot_interval_s']) expect(shown('', key)?.needsRestart, key).toBe(true)
  })

  test('so that every value can be set as it is shown', () => {
    for (const { key, value } of showOptions(defaultConfig, '')) {
      const edited = editConfig('', { key, value })
      if (!edited.ok) throw new Error(`${key}: ${edited.why}`)
      expect(parseConfig(edited.text), key).toEqual({ ok: true, config: defaultConfig })
    }
  })

  test('also where the file cannot be read at all', () => {
    expect(shown('a = [', 'size')).toMatchObject({ value: '120x40', isSet: false })
  })
})

test.each([
  ['page.theme', 'dark', 'dark'],
  ['web.port', '80', 80],
  ['web.enabled', 'false', false],
  ['shell', '1', '1'],
  ['size', '80x24', '80x24'],
  ['env.allow', '["A", "B_*"]', ['A', 'B_*']],
  ['page.keys.palette', 'Ctrl+P', 'Ctrl+P'],
  ['page.keys', '{ palette = "Ctrl+P" }', { palette: 'Ctrl+P' }],
  ['resume.mine', '["--resume"]', ['--resume']],
  ['web.port', 'many', 'many'],
  ['no.such', 'x', 'x'],
])('what is typed for %s as %s is %j', (key, typed, value) => {
  expect(typedValue(key, typed)).toEqual(value)
})
