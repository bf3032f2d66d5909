import { beforeEach, expect, test } from 'vitest'
import { pageSettings } from '../../../test/support/pageSettings.ts'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Parts } from '../hooks/parts.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { terminalMenu } from './terminalMenu.ts'

let asked: unknown[]
let parts: Parts

beforeEach(() => {
  asked = []
  const slot = { kind: 'slot', terminals: ['t1'], active: 't1' }
  const workspaces = [
    { id: 'w1', name: 'front', view: 'split', layout: { root: slot, zoomed: null }, canvas: {} },
    { id: 'w2', name: 'back', view: 'split', layout: { root: null, zoomed: null }, canvas: {} },
  ]
  const page = {
    state: {
      topology: { groups: [{ workspaces }], dock: [] },
      focused: 't1',
      settings: pageSettings({ keys: { 'terminal.close': 'F9' } }),
    },
    may: () => true,
    command: (...question: unknown[]) => void asked.push(question),
    open: (overlay: unknown) => void asked.push(overlay),
    focus: (id: string) => void asked.push(`focus ${id}`),
    sleep: (id: string) => void asked.push(`sleep ${id}`),
  }
  parts = { page, tiles: { wake: (id: string, wish: unknown) => Promise.resolve(void asked.push([id, wish])) } } as unknown as Parts
})

const menu = (changes: Partial<TerminalView> = {}) => terminalMenu(parts, terminalView({ id: 't1', ...changes }))
const find = (items: readonly MenuItem[], label: string): Exclude<MenuItem, 'separator'> =>
  items.flatMap((item) => (item === 'separator' ? [] : [item])).find((item) => item.label === label) ?? expect.fail(`no ${label}`)
const choose = (items: readonly MenuItem[], label: string) => {
  const item = find(items, label)
  if ('items' in item) return expect.fail(`${label} is a group`)
  item.onChoose()
}
const groupOf = (items: readonly MenuItem[], label: string) => {
  const item = find(items, label)
  return 'items' in item ? item : expect.fail(`${label} is no group`)
}

test('a live terminal can be pinned, muted, moved, put to sleep and closed', () => {
  choose(menu(), 'Pin to the top')
  choose(menu({ muted: true }), 'Mute notifications')
  choose(groupOf(menu(), 'Move to workspace').items, 'back')
  choose(menu(), 'Sleep')
  choose(menu(), 'Close')
  expect(asked).toEqual([
    ['terminal.pin', { terminal: 't1', pinned: true }],
    ['terminal.mute', { terminal: 't1', muted: false }],
    ['terminal.move', { terminal: 't1', to: 'w2' }],
    'sleep t1',
    { kind: 'close', terminal: 't1' },
  ])
})

test('its own workspace is no place to move to', () => {
  expect(groupOf(menu(), 'Move to workspace').items).toHaveLength(1)
})

test('one that sleeps is resumed or started afresh, where both are offered', () => {
  const offers = { resume: 'codex resume', conversation: true, fresh: 'codex' }
  const items = menu({ state: 'asleep', because: { kind: 'slept' }, offers })
  choose(items, 'Wake')
  choose(items, 'Restart fresh')
  expect(asked).toEqual(['focus t1', ['t1', { mode: 'resume' }], 'focus t1', ['t1', { mode: 'fresh' }]])
})

test('its colours are chosen among the schemes, or left to the settings', () => {
  const colours = groupOf(menu({ theme: 'holdfast' }), 'Colors')
  choose(colours.items, 'Default')
  expect(asked).toEqual([['terminal.theme', { terminal: 't1', theme: null }]])
  expect(colours.items.filter((item) => item !== 'separator' && 'isChecked' in item && item.isChecked === true)).toHaveLength(1)
})

test('keys are said only where they act on this very terminal', () => {
  expect(find(menu(), 'Close')).toMatchObject({ keys: 'F9' })
  expect(find(terminalMenu(parts, terminalView({ id: 'other' })), 'Close')).toMatchObject({ keys: null })
})

test('a terminal that sleeps can be forgotten; one that runs has to be closed first', () => {
  choose(menu({ state: 'asleep' }), 'Forget…')
  expect(asked).toEqual([{ kind: 'forget', terminal: 't1' }])
  expect(menu().some((item) => item !== 'separator' && item.label === 'Forget…')).toBe(false)
})
