/**
 * The page. This folder only composes: main wires the client, the page's state, the tiles and the views; App and Overlays place the
 * views. Decisions are in the folders, which import downward: device < state < tiles < hooks < layout < actions < ui < views and the rest.
 * Start reading at state/page.ts (what the page knows), actions/actions.ts (what can be done) and tiles/tiles.ts (what draws terminals).
 */
import { createRoot } from 'react-dom/client'
import { DaemonClient } from '../client/daemonClient.ts'
import { App } from './App.tsx'
import { runShortcut, Shortcuts } from './actions/actions.ts'
import { readDevice } from './device/keptDevice.ts'
import type { Parts } from './hooks/parts.ts'
import { keepShell } from './installed/keepShell.ts'
import { wishOf } from './installed/wish.ts'
import { startNotifier } from './notify/notifier.ts'
import { remember } from './palette/choose.ts'
import { Page } from './state/page.ts'
import { Look } from './tiles/look.ts'
import './page.css'
import { webSocketTransport } from './device/webSocketTransport.ts'
import { SoftKeyboard } from './phone/softKeyboard.ts'
import { followVisibleHeight } from './phone/visibleHeight.ts'
import { PLATFORM } from './state/shortcuts.ts'
import { Tiles } from './tiles/tiles.ts'
import { tellOfSleep } from './toasts/tellOfSleep.ts'

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
