import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../wire/commands/commands.ts'
import type { Parts } from '../hooks/parts.ts'
import { keysOf } from './action.ts'
import { ACTIONS, runShortcut, shortcutsOf } from './actions.ts'

/** Rows of the command table that nobody needs on the page, and why. */
const NOT_FOR_PEOPLE: Readonly<Record<string, string>> = {
  'terminal.list': 'the page is told of every terminal by watch',
  'terminal.adopt': 'which tmux is meant is known in a shell of its user',
  'terminal.attach': 'a browser cannot reach a holder’s socket: it opens a channel',
  'terminal.send': 'what is typed goes through the channel; this is for scripts',
  'terminal.resize': 'the page gives a terminal the size of its place; a size by hand is for scripts',
  'terminal.history': 'older lines come through the channel, as they are drawn',
  'terminal.position': 'where a wait of a script begins',
  'terminal.wait': 'for scripts: people are notified',
  'agent.report': 'what agents say themselves, through their hooks',
  'workspace.list': 'the page is told of every workspace by watch',
  'group.list': 'the page is told of every group by watch',
  'recovery.show': 'the page is told of what was lost by watch',
  'checkpoint.screen': 'the timeline shows them as still pictures; this is for reading them as text',
  'daemon.stop': 'the page would end itself; it is done in a shell, where it can be started again',
}

const ROOTS = ['src/web', 'src/client']

/** Every quoted word of the page's own source and of the client below it. */
function quotedWords(): ReadonlySet<string> {
  const files = ROOTS.flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`))
  const sources = files.filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.')).map((name) => readFileSync(name, 'utf8'))
  // As the first argument of a question to the daemon: an action's id may be the same word.
  return new Set(sources.flatMap((source) => [...source.matchAll(/(?:command|ask|request)\(\s*'([\w.]+)'/g)].map(([, word]) => word ?? '')))
}

test('every command of the daemon is reachable on the page, or it is said why not', () => {
  const asked = quotedWords()
  const unreachable = Object.keys(COMMANDS).filter((name) => !asked.has(name) && !(name in NOT_FOR_PEOPLE))
  expect(unreachable).toEqual([])
})

test('what is said not to be for people is a command, and is not asked for', () => {
  const asked = quotedWords()
  expect(Object.keys(NOT_FOR_PEOPLE).filter((name) => !(name in COMMANDS) || asked.has(name))).toEqual([])
})

const press = (key: string, held: Partial<KeyboardEvent> = {}) => {
  let isPrevented = false
  const event = {
    type: 'keydown',
    key,
    ctrlKey: false,
    shiftKey: false,
    altKey: false,
    metaKey: false,
    ...held,
    preventDefault: () => (isPrevented = true),
  }
  return { event: event as never, isPrevented: () => isPrevented }
}

test('a shortcut runs its action; without one, or while it is not possible, the key is the program’s', () => {
  const opened: unknown[] = []
  const parts = { page: { open: (overlay: unknown) => opened.push(overlay), focused: null, state: { terminals: [] } } } as unknown as Parts
  const shortcuts = shortcutsOf({}, { isMac: false })
  const palette = press('k', { ctrlKey: true })
  expect(runShortcut(palette.event, shortcuts, parts)).toBe(true)
  expect([opened, palette.isPrevented()]).toEqual([[{ kind: 'palette', text: '' }], true])
  expect(runShortcut(press('k').event, shortcuts, parts)).toBe(false)
  const find = press('F', { ctrlKey: true, shiftKey: true })
  expect([runShortcut(find.event, shortcuts, parts), find.isPrevented()]).toEqual([false, false])
})

test('chosen keys go before the usual ones, and empty ones switch a shortcut off', () => {
  const shortcuts = shortcutsOf({ palette: '', 'page.settings': 'Ctrl+K' }, { isMac: false })
  expect(shortcuts.get('Ctrl+K')?.id).toBe('page.settings')
  const palette = ACTIONS.find(({ id }) => id === 'palette') ?? expect.fail()
  expect([keysOf(palette, {}), keysOf(palette, { palette: '' }), keysOf(palette, { palette: 'F2' })]).toEqual(['Mod+K', null, 'F2'])
})
