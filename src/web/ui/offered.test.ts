import { expect, test } from 'vitest'
import type { CommandName } from '../../wire/commands/commands.ts'
import type { MenuItem } from './Menu.tsx'
import { offered } from './offered.ts'

const item = (label: string, asks: CommandName | null): MenuItem => ({ label, asks, onChoose: () => undefined })

const MENU: readonly MenuItem[] = [
  item('Rename', 'terminal.rename'),
  'separator',
  item('Read', 'terminal.read'),
  'separator',
  { label: 'Colors', asks: 'terminal.theme', items: [item('Dark', 'terminal.theme')] },
  'separator',
  item('Copy', null),
  'separator',
  item('Close', 'terminal.close'),
]

const labels = (items: readonly MenuItem[]) => items.map((each) => (each === 'separator' ? '-' : each.label))

test('a menu offers what the browser may ask for, with one line between two items', () => {
  expect(labels(offered(MENU, (command) => command === 'terminal.read'))).toEqual(['Read', '-', 'Copy'])
})

test('a browser that may do everything gets the whole menu', () => {
  expect(offered(MENU, () => true)).toEqual(MENU)
})

test('a menu of which nothing may be chosen is empty', () => {
  expect(offered([item('Rename', 'terminal.rename'), 'separator', item('Close', 'terminal.close')], () => false)).toEqual([])
})
