import { expect, test } from 'vitest'
import { ACTIONS, actionOf, shortcutsOf } from '../../actions/actions.ts'
import { normalShortcut } from '../../state/shortcuts.ts'
import { judge, type Keys, shortcutRows, takingKeys, withKeys, withoutChange } from './shortcutTable.ts'

const platform = { isMac: false }
const action = (id: string) => actionOf(id) ?? expect.fail(`no action ${id}`)
const keysOf = (chosen: Keys, id: string) => shortcutRows(chosen, platform, '').find((row) => row.action.id === id)

test('no two actions have the same keys by themselves, on any platform', () => {
  for (const each of [{ isMac: false }, { isMac: true }]) {
    const keys = ACTIONS.flatMap((one) => (one.keys === null ? [] : [normalShortcut(one.keys, each)]))
    expect(keys).not.toContain(null)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test('every action has an id that the settings can hold, once', () => {
  expect(ACTIONS.map(({ id }) => id).filter((id) => !/^[a-z][A-Za-z0-9.-]{0,63}$/.test(id))).toEqual([])
  expect(new Set(ACTIONS.map(({ id }) => id)).size).toBe(ACTIONS.length)
})

test('keys that another action has are told, and taken only when that is wanted', () => {
  const close = action('terminal.close')
  expect(judge('Ctrl+K', close, { chosen: {}, platform })).toMatchObject({ kind: 'taken', by: { id: 'palette' } })
  expect(judge('Ctrl+Alt+Shift+F9', close, { chosen: {}, platform })).toEqual({ kind: 'free' })
  expect(judge('X', close, { chosen: {}, platform }).kind).toBe('unusable')
  const chosen = takingKeys({}, { action: close, keys: 'Ctrl+K', platform })
  expect(chosen).toEqual({ 'terminal.close': 'Ctrl+K', palette: '' })
  expect(shortcutsOf(chosen, platform).get('Ctrl+K')?.id).toBe('terminal.close')
})

test('a shortcut that a program needs can be switched off, and comes back', () => {
  const off = withKeys({}, { action: action('palette'), keys: '', platform })
  expect(off).toEqual({ palette: '' })
  expect([...shortcutsOf(off, platform).values()].map(({ id }) => id)).not.toContain('palette')
  expect(keysOf(off, 'palette')).toMatchObject({ keys: null, isChanged: true })
  expect(withoutChange(off, action('palette'))).toEqual({})
})

test('what is as usual is not kept', () => {
  expect(withKeys({ palette: 'F2' }, { action: action('palette'), keys: 'Ctrl+K', platform })).toEqual({})
})

test('an action whose keys were given away by hand says who has them', () => {
  expect(keysOf({ 'terminal.close': 'Ctrl+K' }, 'palette')).toMatchObject({ keys: 'Mod+K', takenBy: { id: 'terminal.close' } })
})

test('the rows can be searched', () => {
  expect(shortcutRows({}, platform, 'page dock').map((row) => row.action.id)).toEqual(['page.dock', 'page.hideAsleep'])
})
