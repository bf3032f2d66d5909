#!/usr/bin/env node
/**
 * Draws the main states of the page, dark and light, on a screen and on a phone, into a folder:
 *   npm run screenshots [-- FOLDER]
 * A daemon of its own with real repositories and real programs; the agents alone are played. Everything is gone afterwards.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { Holdfast } from '../bench/lab/holdfast.mjs'
import { closeAllLabsAtOnce, Lab } from '../bench/lab/lab.mjs'
import { openPage, takeAll } from './screenshots/shots.mjs'
import { loseAll, setStage } from './screenshots/stage.mjs'
import { findChromium } from './tools.mjs'

const DEVICES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
}
const folder = resolve(process.argv[2] ?? 'test/artifacts/screenshots')

process.on('exit', closeAllLabsAtOnce)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))

const executablePath = findChromium()
if (executablePath === null) throw new Error('no Chromium: node scripts/tools.mjs chromium installs it')
mkdirSync(folder, { recursive: true })
const lab = new Lab()
const holdfast = await Holdfast.start(lab)
const home = lab.folder('browser')
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-breakpad'],
  env: { ...lab.environment(), HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
})
const pages = {}
for (const [device, options] of Object.entries(DEVICES)) pages[device] = await openPage(browser, holdfast, options)

const take = (states) => takeAll({ pages, folder, states, say: (name) => console.log(`• ${name}`) })
await take(['empty'])
const stage = await setStage(lab, holdfast)
await take([
  { stage },
  'split',
  'dock',
  'palette',
  'newTerminal',
  'settings',
  'devices',
  'health',
  'canvas',
  'phoneTerminal',
  'phoneAgent',
  'phoneSheet',
  'travel',
])
for (const [device, options] of Object.entries(DEVICES)) {
  await pages[device].context().close()
  pages[device] = await openPage(browser, holdfast, options, { view: 'all' })
}
await take([{ stage }, 'viewOnly', 'viewOnlyTyping', 'viewOnlyWhy'])
for (const [device, options] of Object.entries(DEVICES)) {
  await pages[device].context().close()
  pages[device] = await openPage(browser, holdfast, options)
}
await loseAll(holdfast)
await take([{ stage }, 'lost', 'phoneLost'])

await browser.close()
await lab.close()
console.log(`Kept in ${folder}.`)
