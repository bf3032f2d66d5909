import { existsSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { encodeExport } from '../../src/store/exportFile.ts'
import { seal } from '../../src/store/seal.ts'
import { barriers } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn } from '../support/pages.ts'
import { asleep, terminalId } from '../support/terminals.ts'
import { checkpointOf, entry, placed } from '../support/workspaces.ts'

/** A file from elsewhere in a real browser: its plan, its passphrase, and the question before its first wake. */
const CHEAP = { log2N: 14, r: 8, p: 1 }

function writeSealed(home: Home): { readonly file: string; readonly proof: string } {
  const [file, proof] = [`${home.path}/desk.holdfast`, `${home.path}/ran`]
  const spec = { command: '/bin/sh', args: ['-c', `touch ${proof}; exec sleep 300`], cwd: '/', env: {}, size: { cols: 80, rows: 24 } }
  const terminal = asleep({ id: terminalId(7), name: 'theirs', spec })
  const checkpoint = checkpointOf({ topology: placed(terminal), terminals: [entry(terminal)] })
  const host = { machine: 'elsewhere', boot: '', name: 'their-laptop' }
  writeFileSync(file, seal(encodeExport({ checkpoint, host, screens: new Map() }), 'correct horse', CHEAP))
  return { file, proof }
}

async function openImport(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find a terminal or a command' })
  await palette.getByRole('combobox').fill('import from a file')
  await palette.getByRole('option', { name: 'Import from a file' }).first().click()
  await page.getByRole('heading', { name: 'Import from a file' }).waitFor()
}

test('the page shows what a sealed file would run, imports it asleep, and asks before its first wake', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const { file, proof } = writeSealed(home)
  const page = await openLoggedIn(home, browser)
  await openImport(page)
  await page.getByLabel('Path of the file').fill(file)
  await page.getByRole('button', { name: 'Show plan' }).click()
  await page.getByText('The file is sealed').waitFor()
  await page.getByLabel('Passphrase').fill('incorrect')
  await page.getByRole('button', { name: 'Show plan' }).click()
  await page.getByText('The passphrase does not open').waitFor()
  await page.getByLabel('Passphrase').fill('correct horse')
  await page.getByRole('button', { name: 'Show plan' }).click()
  const plan = page.getByLabel('Import plan')
  await plan.waitFor()
  expect(await plan.textContent()).toContain(`command      /bin/sh -c 'touch ${proof}; exec sleep 300'`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported 1 terminals; they are asleep.').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await page.locator('.row', { hasText: 'theirs' }).click() // it stands in a workspace of its own
  await page.getByText('Imported from their-laptop, never run here').waitFor()
  await page.getByRole('button', { name: 'Wake…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run “theirs” here?' })
  await dialog.waitFor()
  expect(await dialog.textContent()).toContain(`touch ${proof}`)
  expect(await dialog.textContent()).toContain('Your environment, nothing added')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter') // Cancel has the keyboard
  await dialog.waitFor({ state: 'detached' })
  expect(existsSync(proof)).toBe(false)
  await page.getByRole('button', { name: 'Wake…' }).click()
  await dialog.getByRole('button', { name: 'Wake' }).click()
  await until(() => existsSync(proof), { what: 'the program to run' })
  expect(browser.complaints).toEqual([])
}, 60_000)
