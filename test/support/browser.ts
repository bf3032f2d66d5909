import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium, findHeadlessShell } from '../../scripts/tools.mjs'

const FLAGS = [
  '--headless',
  '--no-sandbox', // tests may run as root, where the sandbox refuses to start
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad', // its crash handler would outlive the browser
]

export type TestBrowser = AsyncDisposable & {
  readonly browser: Browser
  /** A page in a context of its own, so that no login is shared. */
  openPage(options?: BrowserContextOptions): Promise<Page>
  /** What pages threw or logged as errors, oldest first. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/**
 * A real Chromium without a window. Everything it writes is in a temporary directory that `close` removes. The whole browser
 * opens a window for each page, which nobody sees: it is for tests of what the shell lacks, such as notifications.
 */
export async function launchBrowser({ isWhole = false } = {}): Promise<TestBrowser> {
  const executablePath = (isWhole ? null : findHeadlessShell()) ?? findChromium()
  if (executablePath === null) throw new Error('no Chromium: run node scripts/tools.mjs chromium')
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const places = { HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_CACHE_HOME: join(folder, 'cache') }
  const complaints: string[] = []
  const browser = await chromium.launch({ executablePath, args: FLAGS, env: { ...environmentText(), ...places } }).catch((error: Error) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const close = async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { browser, openPage: (options) => openPage(browser, complaints, options), complaints, close, [Symbol.asyncDispose]: close }
}

async function openPage(browser: Browser, complaints: string[], options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  return page
}

function environmentText(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
