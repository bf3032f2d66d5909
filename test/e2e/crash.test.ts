import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { killDaemon, list } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, run } from '../support/holdfast.ts'
import { makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'

const PROGRAMS = 10
/** More by `npm run torture`. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 50)
const letter = (index: number): string => String.fromCharCode(65 + index)

/** The numbers after `prefix`, one per line, as they stand in the text. */
const numbersOf = (text: string, prefix: string): number[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Number(line.slice(prefix.length)))

/** Describes the first place where the numbers do not go on by one. */
function firstFault(numbers: readonly number[]): string | null {
  const at = numbers.findIndex((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)
  return at < 0 ? null : `${numbers.slice(Math.max(0, at - 2), at + 2).join(', ')}`
}

test(`${KILLS} times kill -9 of the daemon cost ten running programs nothing, five of them in tmux, nor an attached client, nor an open page`, {
  timeout: 120_000 + KILLS * 3_000,
}, async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const script = fixtureProgram('prints-numbers.mjs')
  for (let index = 0; index < PROGRAMS; index++) {
    const { code, stderr } = await run(home, [
      'new',
      '--name',
      `p${letter(index)}`,
      '--backend',
      index % 2 === 0 ? 'holder' : 'tmux',
      '--',
      process.execPath,
      script,
      '--every',
      '20',
      '--prefix',
      letter(index),
    ])
    expect(stderr).toBe('')
    expect(code).toBe(0)
  }
  const before = await list(home)
  expect(before.map(({ state }) => state)).toEqual(Array(PROGRAMS).fill('live'))

  await using attached = openPty(process.execPath, { args: [HOLDFAST, 'attach', 'pA'], env: environment(home), cols: 120, rows: 40 })
  await attached.waitFor(/A\d+/)
  const { url } = await json<{ url: string }>(home, ['--no-open'])
  const page = await browser.openPage()
  await page.goto(url)
  await page.getByRole('button', { name: /pB/ }).first().click()
  const pageText = (): Promise<string> => page.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())
  await until(async () => numbersOf(await pageText(), 'B').length > 5, { what: 'the page to show the program' })

  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 2 === 0) {
      const started = run(home, ['daemon', 'start'])
      await delay(Math.random() * 250) // a random moment of its start
      killDaemon(home)
      await started
    } else {
      await until(async () => (await run(home, ['daemon', 'start'])).code === 0, { what: 'the daemon to start' })
      await delay(Math.random() * 300) // a random moment of its life
      killDaemon(home)
    }
  }
  await until(async () => (await run(home, ['daemon', 'start'])).code === 0, { what: 'the daemon to start' })

  const after = await list(home)
  expect(after.map(({ id, pid, holderPid, state }) => ({ id, pid, holderPid, state }))).toEqual(
    before.map(({ id, pid, holderPid, state }) => ({ id, pid, holderPid, state })),
  )
  for (let index = 0; index < PROGRAMS; index++) {
    const { stdout } = await run(home, ['read', `p${letter(index)}`, '--history', 'all'])
    const numbers = numbersOf(stdout, letter(index))
    expect(numbers[0], `the history of ${letter(index)} begins with 1`).toBe(1)
    expect(firstFault(numbers), `the history of ${letter(index)}`).toBe(null)
    expect(numbers.length).toBeGreaterThan(10 * KILLS)
  }

  const last = numbersOf((await run(home, ['read', 'pB'])).stdout, 'B').at(-1) ?? 0
  await until(async () => (numbersOf(await pageText(), 'B').at(-1) ?? 0) > last, { what: 'the page to go on by itself', timeoutMs: 20_000 })
  expect(firstFault(numbersOf(await pageText(), 'B')), 'the page').toBe(null)
  const lastOfA = numbersOf((await run(home, ['read', 'pA'])).stdout, 'A').at(-1) ?? 0
  await attached.waitFor(new RegExp(`A${lastOfA}\\b`))
  expect(firstFault(numbersOf(attached.text(), 'A')), 'the attached client').toBe(null)
})
