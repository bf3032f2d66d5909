/**
 * A real Chromium with the real page. Without a window it makes frames by a timer of 60 Hz, as a screen would ask for them;
 * what a compositor, a graphics card and a screen add after that is not in any figure.
 */
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
]

export class Chromium {
  #browser

  static async start(lab) {
    const executablePath = findChromium()
    if (executablePath === null) throw new Error('no Chromium: node scripts/tools.mjs chromium installs it')
    const folder = lab.folder('browser')
    const env = { ...lab.environment(), HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder }
    return new Chromium(await chromium.launch({ executablePath, args: FLAGS, env }))
  }

  constructor(browser) {
    this.#browser = browser
  }

  get version() {
    return this.#browser.version()
  }

  /** A page of its own that is logged in. */
  async openPage(holdfast, viewport) {
    const context = await this.#browser.newContext({ viewport })
    await context.addInitScript(watchFrames)
    const page = await context.newPage()
    const { url } = await holdfast.ask('web.login', {})
    await page.goto(url)
    await page.waitForURL((address) => address.pathname === '/')
    return new BenchPage(page, await context.newCDPSession(page))
  }

  /** Pids of the processes that draw pages. */
  async renderers() {
    const session = await this.#browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    await session.detach()
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  }

  close() {
    return this.#browser.close()
  }
}

class BenchPage {
  page
  #session
  #typed = null
  #before = null

  constructor(page, session) {
    this.page = page
    this.#session = session
  }

  /** Until each of these terminals shows its text; answers when the last one was drawn, in ms since the page was asked for. */
  painted(wanted) {
    return this.page.evaluate(untilPainted, wanted)
  }

  async focus(id) {
    await this.page.locator(`[data-terminal="${id}"] .xterm-helper-textarea`).focus()
    this.#typed = id
  }

  /** Milliseconds from a key's event to the end of the frame with its glyph, and how many of them passed after its echo had come. */
  async key(character) {
    await this.page.evaluate((wanted) => globalThis.bench.expect(wanted), { id: this.#typed, character })
    const windowsVirtualKeyCode = character.toUpperCase().charCodeAt(0)
    await this.#session.send('Input.dispatchKeyEvent', { type: 'keyDown', key: character, text: character, windowsVirtualKeyCode })
    await this.#session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: character, windowsVirtualKeyCode })
    return this.page.evaluate(() => globalThis.bench.drawn)
  }

  /** An empty screen: a key's glyph is told by the number of such letters, and one that scrolls away would be missed. */
  async clear() {
    await this.page.keyboard.press('Enter')
    await this.page.waitForFunction((id) => !/\S/.test(globalThis.holdfast.seen(id).join('')), this.#typed)
  }

  /** Share of the time since the last call in which the page's thread had work. */
  async busyShare() {
    await this.#session.send('Performance.enable', { timeDomain: 'timeTicks' })
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const { TaskDuration: busy, Timestamp: at } = Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
    const before = this.#before ?? { busy, at: at - 1 }
    this.#before = { busy, at }
    return (busy - before.busy) / (at - before.at)
  }

  /** Bytes of script objects that are in use. */
  async heapBytes() {
    await this.#session.send('HeapProfiler.collectGarbage')
    return (await this.#session.send('Runtime.getHeapUsage')).usedSize
  }

  /** Bytes that the first visit has moved, as they are on the wire. */
  transferred() {
    return this.page.evaluate(() => {
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      return entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    })
  }

  send(method, params) {
    return this.#session.send(method, params)
  }

  close() {
    return this.page.context().close()
  }
}

/** Runs in the page. A frame's work is done when a task that was posted in it runs. */
function untilPainted(wanted) {
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + 30_000
    const isThere = ({ id, text }) => (globalThis.holdfast?.seen(id) ?? []).some((row) => row.includes(text))
    const look = () => {
      const missing = wanted.filter((one) => !isThere(one))
      if (performance.now() > deadline)
        return reject(new Error(`not painted: ${missing.map(({ id, text }) => `${text} in ${id}`).join(', ')}`))
      if (missing.length > 0) return requestAnimationFrame(look)
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now())
      channel.port2.postMessage(null)
    }
    requestAnimationFrame(look)
  })
}

/**
 * Runs in the page before its own scripts. The library draws in the first frame after it has taken bytes in. So whoever finds
 * the character on the screen when a callback of a frame has run knows that this frame draws it; a task that is posted then
 * runs when the frame is made. Nothing is asked for in between: a frame that was wished for only by us would delay the real one.
 */
function watchFrames() {
  let waiting = null
  const count = ({ id, character }) => globalThis.holdfast.seen(id).join('').split(character).length
  const look = () => {
    if (waiting === null || waiting.pressedAt === null || count(waiting) <= waiting.before) return
    const { resolve, pressedAt, arrivedAt } = waiting
    waiting = null
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      const now = performance.now()
      resolve({ ms: now - pressedAt, drawingMs: now - (arrivedAt ?? now) })
    }
    channel.port2.postMessage(null)
  }
  const request = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) =>
    request((now) => {
      callback(now)
      look()
    })
  const take = ({ timeStamp }) => {
    if (waiting !== null) waiting.pressedAt ??= timeStamp
  }
  window.addEventListener('keydown', take, { capture: true })
  // The echo of a key is a small message with that character in it; floods come in large ones.
  const hear = ({ data }) => {
    if (waiting === null || waiting.pressedAt === null || !(data instanceof ArrayBuffer) || data.byteLength > 64) return
    if (new Uint8Array(data).includes(waiting.character.charCodeAt(0))) waiting.arrivedAt ??= performance.now()
  }
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address)
      this.addEventListener('message', hear)
    }
  }
  globalThis.bench = {
    drawn: null,
    expect(wanted) {
      this.drawn = new Promise((resolve) => {
        waiting = { ...wanted, before: count(wanted), pressedAt: null, arrivedAt: null, resolve }
      })
    },
  }
}
