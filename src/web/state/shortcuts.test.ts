import { expect, test } from 'vitest'
import { isUsable, normalShortcut, pressedShortcut, shortcutText } from './shortcuts.ts'

const [PC, MAC] = [{ isMac: false }, { isMac: true }]
const press = (key: string, held: readonly ('ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey')[] = []) =>
  pressedShortcut({
    type: 'keydown',
    key,
    ctrlKey: held.includes('ctrlKey'),
    shiftKey: held.includes('shiftKey'),
    altKey: held.includes('altKey'),
    metaKey: held.includes('metaKey'),
  })

test('two ways to write a shortcut are the same', () => {
  expect(normalShortcut('shift+ctrl+k', PC)).toBe('Ctrl+Shift+K')
  expect([normalShortcut('Mod+K', PC), normalShortcut('Mod+K', MAC), normalShortcut('Cmd+K', PC)]).toEqual(['Ctrl+K', 'Meta+K', 'Meta+K'])
  expect(normalShortcut('Ctrl+ArrowUp', PC)).toBe('Ctrl+ArrowUp')
  expect(['', 'Ctrl+', 'Hyper+K'].map((text) => normalShortcut(text, PC))).toEqual([null, null, null])
})

test('the plus sign can be a key', () => {
  expect(normalShortcut('Ctrl++', PC)).toBe('Ctrl++')
  expect(press('+', ['ctrlKey', 'shiftKey'])).toBe(normalShortcut('Ctrl+Shift++', PC))
  expect(shortcutText('Ctrl++', PC)).toBe('Ctrl +')
})

test('what is pressed is the shortcut that is written', () => {
  expect(press('k', ['ctrlKey'])).toBe(normalShortcut('Mod+K', PC))
  expect(press(' ', ['ctrlKey', 'shiftKey'])).toBe(normalShortcut('Ctrl+Shift+Space', PC))
  expect(press('Control', ['ctrlKey'])).toBeNull()
})

test('shortcuts are read as people know them', () => {
  expect([shortcutText('Mod+Shift+K', PC), shortcutText('Mod+Shift+K', MAC)]).toEqual(['Ctrl Shift K', '⇧⌘K'])
  expect(shortcutText('Ctrl+Shift+ArrowDown', PC)).toBe('Ctrl Shift ↓')
})

test('letters alone are for typing', () => {
  expect(['K', 'Shift+K', 'Enter', 'Ctrl+K', 'Alt+Shift+K', 'F5', 'Shift+F5'].map(isUsable)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
    true,
  ])
})
