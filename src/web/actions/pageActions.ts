/** What can be done with the page itself. */
import type { Action } from '../actions.ts'
import { ASLEEP_HIDDEN, DOCK_COLLAPSED } from '../dock/dockShape.ts'
import { commandOf, type Overlay, type Reading } from '../overlay.ts'
import type { Parts } from '../parts.ts'

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
    title: 'Show or hide sleeping terminals in the dock',
    group: 'Page',
    keys: null,
    asks: null,
    also: 'filter asleep',
    run: () => ASLEEP_HIDDEN.set(!ASLEEP_HIDDEN.value),
  },
  theme('light', { id: 'page.light', title: 'Light page', keys: null, also: 'theme' }),
  theme('dark', { id: 'page.dark', title: 'Dark page', keys: null, also: 'theme' }),
  theme('system', { id: 'page.system', title: 'Page as light or dark as the system', keys: null, also: 'theme' }),
  letters({ id: 'page.larger', title: 'Larger letters, on this device', keys: 'Ctrl+Alt+=', also: 'font size zoom' }, (tiles) =>
    tiles.changeFont(1),
  ),
  letters({ id: 'page.smaller', title: 'Smaller letters, on this device', keys: 'Ctrl+Alt+-', also: 'font size zoom' }, (tiles) =>
    tiles.changeFont(-1),
  ),
  letters(
    { id: 'page.usualLetters', title: 'Letters as large as the settings say', keys: 'Ctrl+Alt+0', also: 'font size reset' },
    (tiles) => tiles.resetFont(),
  ),
  opening({ kind: 'health' }, { id: 'page.health', title: 'Health', keys: null, also: 'status trouble check' }),
  reading('daemon', { id: 'daemon.status', title: 'How the daemon does', keys: null, also: 'status' }),
  reading('notices', { id: 'page.notices', title: 'Third-party notices', keys: null, also: 'licenses about open source' }),
  reading('login', { id: 'web.login', title: 'Log in another browser…', keys: null, also: 'link phone device' }),
  reading('authLog', { id: 'device.log', title: 'Logins and refusals', keys: null, also: 'auth log devices' }),
  { id: 'page.logOut', title: 'Log out', group: 'Page', keys: null, asks: 'device.logOut', run: logOut },
]

/** The daemon ends every connection of this browser, and the page says so. */
function logOut({ page }: Parts): void {
  void page.ask('device.logOut', {}).then((answer) => (answer.ok ? location.assign('/login') : page.say(NOT_LOGGED_OUT)))
}

const NOT_LOGGED_OUT = {
  code: 'daemon-unreachable',
  message: 'The daemon could not be reached: you are still logged in.',
  hint: 'Try again when it is back.',
} as const
