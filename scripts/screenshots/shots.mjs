/** The states of the page, and how one gets there. Each leaves the page as it found it. */
import { join } from 'node:path'

const SCHEMES = ['dark', 'light']
const WAIT_MS = 20_000

/** `wish`: what the login link grants; nothing said, everything. */
export async function openPage(browser, holdfast, options, wish = {}) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const { url } = await holdfast.ask('web.login', wish)
  await page.goto(url)
  await page.waitForURL((address) => address.pathname === '/')
  return page
}

const dialog = (page) => page.locator('dialog[open], [role="dialog"]').first()

async function over(page, { button, keys }, picture) {
  await page.getByRole('button', { name: button }).first().click()
  await dialog(page).waitFor()
  if (keys !== undefined) await page.keyboard.type(keys)
  await picture()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
}

/** What is typed into a program that is drawn has been drawn. */
const drawn = (page, terminals) =>
  page.waitForFunction(
    (terminals) => terminals.every(({ id, sign }) => globalThis.holdfast.seen(id).some((row) => row.includes(sign))),
    terminals,
  )

const goTo = async (page, name) => {
  await page.getByRole('button', { name: /^Terminals/ }).click()
  await page.getByRole('dialog', { name: 'Terminals' }).locator('.terminals').getByText(name, { exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Terminals' }).waitFor({ state: 'detached' })
}

const onPhone = (name) => async (page, picture, stage) => {
  await goTo(page, name)
  const { id, sign } = stage.find((terminal) => terminal.name === name)
  await drawn(page, [{ id, sign }])
  await picture()
}

const STATES = {
  empty: { devices: ['desktop', 'phone'], show: (page, picture) => page.getByText('No terminals yet').waitFor().then(picture) },
  split: { devices: ['desktop'], show: (page, picture, stage) => drawn(page, stage).then(picture) },
  dock: { devices: ['desktop'], part: 'nav.side', show: (_, picture) => picture() },
  palette: { devices: ['desktop'], show: (page, picture) => over(page, { button: 'Find a terminal or a command', keys: 'ne' }, picture) },
  newTerminal: {
    devices: ['desktop', 'phone'],
    show: (page, picture, _, device) =>
      over(page, { button: device === 'phone' ? 'New terminal' : 'Choose folder, program and place…' }, picture),
  },
  settings: { devices: ['desktop'], show: (page, picture) => over(page, { button: 'Settings' }, picture) },
  notices: {
    devices: ['desktop'],
    show: async (page, picture) => {
      await page.getByRole('button', { name: 'Settings' }).first().click()
      await page.getByRole('button', { name: 'Third-party notices' }).click()
      await page.waitForFunction(() => document.querySelector('.readingText')?.value.includes('react-dom'))
      await picture()
      await page.keyboard.press('Escape')
    },
  },
  devices: {
    devices: ['desktop', 'phone'],
    show: async (page, picture) => {
      await page.keyboard.press('Control+,')
      await page.getByRole('tab', { name: 'Devices' }).click()
      await page.locator('.device').first().waitFor()
      await picture()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    },
  },
  health: { devices: ['desktop'], show: (page, picture) => over(page, { button: /Health: / }, picture) },
  travel: {
    devices: ['desktop', 'phone'],
    show: async (page, picture) => {
      await page.keyboard.press('Control+Shift+H')
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.planStill img')].some((image) => image.complete && image.naturalWidth > 0),
      )
      await page.getByText('Comparing with now…').waitFor({ state: 'detached' })
      await picture()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    },
  },
  canvas: {
    devices: ['desktop'],
    show: async (page, picture, stage) => {
      await page.getByRole('button', { name: 'Canvas', exact: true }).click()
      await page.getByRole('button', { name: 'Arrange by repository' }).click()
      await drawn(page, stage)
      await picture()
      await page.getByRole('button', { name: 'Split', exact: true }).click()
    },
  },
  phoneTerminal: { devices: ['phone'], show: onPhone('tests') },
  phoneAgent: { devices: ['phone'], show: onPhone('boat form') },
  phoneSheet: { devices: ['phone'], show: (page, picture) => over(page, { button: /^Terminals/ }, picture) },
  viewOnly: { devices: ['desktop', 'phone'], show: (page, picture) => page.locator('.viewOnly').waitFor().then(picture) },
  viewOnlyTyping: {
    devices: ['desktop'],
    show: async (page, picture) => {
      await page.locator('.find').focus()
      await page.locator('.host').first().click()
      await page.keyboard.type('ls')
      await page.getByText('View only: this browser').waitFor()
      await picture()
    },
  },
  viewOnlyWhy: { devices: ['desktop', 'phone'], show: (page, picture) => over(page, { button: 'View only' }, picture) },
  lost: { devices: ['desktop'], show: (page, picture) => page.getByLabel('This terminal is not running').first().waitFor().then(picture) },
  phoneLost: {
    devices: ['phone'],
    show: (page, picture) => page.getByLabel('This terminal is not running').first().waitFor().then(picture),
  },
}

/** A name is a state to be drawn; `{ stage }` says what is on the page from then on. */
export async function takeAll({ pages, folder, states, say }) {
  let stage = []
  for (const state of states) {
    if (typeof state === 'object') {
      stage = state.stage
      continue
    }
    const { devices, show, part } = STATES[state]
    for (const device of devices) {
      const page = pages[device]
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        const name = `${state}-${device}-${scheme}.png`
        await show(page, () => picture(page, { path: join(folder, name), part }), stage, device)
        say(name)
      }
    }
  }
}

async function picture(page, { path, part }) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  if (part === undefined) await page.screenshot({ path, caret: 'hide' })
  else await page.locator(part).screenshot({ path, caret: 'hide' })
}
