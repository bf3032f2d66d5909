/** The page: wires the daemon's client, what the page knows, the terminal drawing and the views. Decides nothing. */
import { createRoot } from 'react-dom/client'
import { DaemonClient } from '../client/daemonClient.ts'
import { App } from './App.tsx'
import { Page } from './page.ts'
import { Stage } from './stage.ts'
import './page.css'
import { webSocketTransport } from './webSocketTransport.ts'
import { nameOf } from './words.ts'

declare const __HOLDFAST_VERSION__: string

const client = new DaemonClient({ connect: webSocketTransport, who: 'page', version: __HOLDFAST_VERSION__, reconnect: 'always' })
// The address remembers the terminal, so that a reload and a second tab show what they showed.
const page = new Page(client, location.hash.slice(1) || null)
const stage = new Stage(page, client)

page.subscribe(() => {
  const { selected, terminals } = page.state
  if (terminals === null) return
  const fragment = selected === null ? '' : `#${selected}`
  if (location.hash !== fragment) history.replaceState(null, '', `/${fragment}`)
  document.title = page.shown === null ? 'Holdfast' : `${nameOf(page.shown)} · Holdfast`
})
// What the terminal has taken arrives here once more, as done.
window.addEventListener('keydown', (event) => event.defaultPrevented || stage.takeKey(event))

// For scripts and tests in the browser: a drawing cannot be read otherwise.
Object.assign(globalThis, { holdfast: { text: () => stage.text(), seen: () => stage.seen(), selection: () => stage.selection } })

const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<App page={page} stage={stage} />)
