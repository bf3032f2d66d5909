/** What can be done with the page itself. */

import type { Parts } from '../hooks/parts.ts'
import { ASLEEP_HIDDEN, DOCK_COLLAPSED } from '../state/dockShape.ts'
import { commandOf, type Overlay, type Reading } from '../state/overlay.ts'
import type { Action } from './action.ts'

type Row = Pick<Action, 'id' | 'title' | 'keys'> & Partial<Pick<Action, 'also' | 'isPossible'>>

const opening = (overlay: Overlay, row: Row): Action => ({
  ...row,
  group: 'Page',
  asks: commandOf(overlay),
  run: ({ page }) => page.open(overlay),
})

const reading = (kind: Extract<Reading['kind'], 'daemon' | 'login' | 'authLog' | 'notices'>, row: Row): Action =>
  opening({ kind: 'reading', reading: { kind } }, row)

const letters = (row: Row, change: (tiles: Parts['tiles']) => void): Action => ({
  ...row,
  group: 'Page',
  asks: null,
  run: ({ tiles }) => change(tiles),
})

const theme = (value: 'light' | 'dark' | 'system', row: Row): Action => ({
  ...row,
  group: 'Page',
  asks: 'config.set',
  isPossible: ({ page }) => page.state.settings.theme !== value,
  run: ({ page }) => void page.command('config.set', { key: 'page.theme', value }),
})

export const PAGE_ACTIONS: readonly Action[] = [
  opening({ kind: 'palette', text: '' }, { id: 'palette', title: 'Find a terminal or a command', keys: 'Mod+K', also: 'palette switch' }),
  opening({ kind: 'palette', text: '#' }, { id: 'page.search', title: 'Search the history of all terminals', keys: null, also: 'find' }),
  opening({ kind: 'settings' }, { id: 'page.settings', title: 'Settings', keys: 'Mod+,', also: 'preferences options config font theme' }),
  opening({ kind: 'shortcuts' }, { id: 'page.shortcuts', title: 'Keyboard shortcuts', keys: null, also: 'keys bindings' }),
  opening({ kind: 'devices' }, { id: 'page.devices', title: 'Devices', keys: null, also: 'browsers logins sessions revoke auth' }),
  {
    id: 'page.dock',
    title: 'Show or hide the dock',
    group: 'Page',
    keys: 'Mod+Shift+B',
    asks: null,
    also: 'sidebar list',
    run: () => DOCK_COLLAPSED.set(!DOCK_COLLAPSED.value),
  },
  {
    id: 'page.hideAsleep',
    title: 'Dock: show or hide terminals that are not running',
    group: 'Page',
    keys: null,
    asks: null,
    also: 'filter asleep',
    run: () => ASLEEP_HIDDEN.set(!ASLEEP_HIDDEN.value),
  },
  theme('light', { id: 'page.light', title: 'Theme: light', keys: null, also: 'theme' }),
  theme('dark', { id: 'page.dark', title: 'Theme: dark', keys: null, also: 'theme' }),
  theme('system', { id: 'page.system', title: 'Theme: follow system', keys: null, also: 'theme' }),
  letters({ id: 'page.larger', title: 'Increase font size', keys: 'Ctrl+Alt+=', also: 'font size zoom' }, (tiles) => tiles.changeFont(1)),
  letters({ id: 'page.smaller', title: 'Decrease font size', keys: 'Ctrl+Alt+-', also: 'font size zoom' }, (tiles) => tiles.changeFont(-1)),
  letters({ id: 'page.usualLetters', title: 'Reset font size', keys: 'Ctrl+Alt+0', also: 'font size reset' }, (tiles) => tiles.resetFont()),
  opening({ kind: 'health' }, { id: 'page.health', title: 'Health', keys: null, also: 'status trouble check' }),
  reading('daemon', { id: 'daemon.status', title: 'Daemon status', keys: null, also: 'status' }),
  reading('notices', { id: 'page.notices', title: 'Third-party notices', keys: null, also: 'licenses about open source' }),
  reading('login', { id: 'web.login', title: 'Log in another browser…', keys: null, also: 'link phone device' }),
  reading('authLog', { id: 'device.log', title: 'Login log', keys: null, also: 'auth log devices' }),
  { id: 'page.logOut', title: 'Log out', group: 'Page', keys: null, asks: 'device.logOut', run: logOut },
]

/** The daemon ends every connection of this browser, and the page says so. */
function logOut({ page }: Parts): void {
  void page.ask('device.logOut', {}).then((answer) => (answer.ok ? location.assign('/login') : page.say(NOT_LOGGED_OUT)))
}

const NOT_LOGGED_OUT = {
  code: 'daemon-unreachable',
  message: 'cannot log out: the daemon is away.',
  hint: 'Try again when it is back.',
} as const
