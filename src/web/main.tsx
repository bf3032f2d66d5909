/** The page: wires the daemon's client, what the page knows, the terminals' drawings and the views. Decides nothing. */
import { createRoot } from 'react-dom/client'
import { DaemonClient } from '../client/daemonClient.ts'
import { App } from './App.tsx'
import { runShortcut, Shortcuts } from './actions.ts'
import { readDevice } from './device/keptDevice.ts'
import { keepShell } from './installed/keepShell.ts'
import { wishOf } from './installed/wish.ts'
import { Look } from './look.ts'
import { startNotifier } from './notifier.ts'
import { Page } from './page.ts'
import { remember } from './palette/recents.ts'
import type { Parts } from './parts.ts'
import './page.css'
import { SoftKeyboard } from './phone/softKeyboard.ts'
import { followVisibleHeight } from './phone/visibleHeight.ts'
import { PLATFORM } from './shortcuts.ts'
import { Tiles } from './tiles/tiles.ts'
import { tellOfSleep } from './toasts/tellOfSleep.ts'
import { webSocketTransport } from './webSocketTransport.ts'

declare const __HOLDFAST_VERSION__: string

// The page itself is public; without a login there is nothing to see on it.
void readDevice().then((device) => device === null && location.replace('/login'))

const client = new DaemonClient({ connect: webSocketTransport, who: 'page', version: __HOLDFAST_VERSION__, reconnect: 'always' })
// The address remembers the terminal, so that a reload and a second tab show what they showed.
const page = new Page({ client, focused: location.hash.slice(1) || null, isVisible: () => !document.hidden })
const keyboard = new SoftKeyboard()
const shortcuts = new Shortcuts(PLATFORM)
const tiles = new Tiles({
  page,
  look: new Look(page),
  client,
  modify: keyboard.modify,
  onKey: (event) => runShortcut(event, shortcuts.now, parts),
})
const parts: Parts = { page, tiles }

page.subscribe(() => {
  const { focused, terminals } = page.state
  if (terminals === null) return
  const fragment = focused === null ? '' : `#${focused}`
  if (location.hash !== fragment) history.replaceState(null, '', `/${fragment}`)
  if (focused !== null) remember(`terminal ${focused}`)
})
page.subscribe(() => shortcuts.choose(page.state.settings.keys))
startNotifier(parts)
tellOfSleep(parts)
document.addEventListener('visibilitychange', () => page.markSeen())
// What the terminal has taken arrives here once more, as done.
window.addEventListener('keydown', (event) => event.defaultPrevented || page.state.overlay !== null || tiles.takeKey(event))

// For scripts and tests in the browser: a drawing cannot be read otherwise. Without an id, of the focused terminal.
const tileOf = (id?: string) => (id === undefined ? tiles.focused : tiles.get(id))
Object.assign(globalThis, {
  holdfast: {
    text: (id?: string) => tileOf(id)?.text() ?? '',
    seen: (id?: string) => tileOf(id)?.seen() ?? [],
    selection: (id?: string) => tileOf(id)?.selection ?? '',
    renderers: () => tiles.renderers(),
  },
})

followVisibleHeight(document.documentElement)
keepShell(page)
const wish = wishOf(location.search)
if (wish !== null) page.open(wish)
const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<App parts={parts} keyboard={keyboard} />)
