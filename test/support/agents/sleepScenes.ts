import process from 'node:process'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { daemonsOf } from '../daemon.ts'
import { until } from '../milestone.ts'
import { showsStill, stillOf } from '../pages.ts'
import { BRANCH, type SleepStory } from './sleepStory.ts'

const LEAST_FREED = 50_000_000 // bytes; every agent has more
const PICTURE = /MARK-SECRET[\s\S]*REPLY\s+users=1\s+marks=SECRET/

/** Put to sleep, it leaves its picture and what is known of it, and nothing that costs anything. Returns what was freed, in bytes. */
export async function fallsAsleep(story: SleepStory): Promise<number> {
  const { page, tile, rest, id, bench, conversation } = story
  await tile.locator('.host').waitFor()
  const label = (await story.view()).agent?.label ?? ''
  const pids = await story.processes()
  await story.sleepInPage()
  await rest.waitFor()
  await showsStill(page, PICTURE, id)
  await story.untilGone(pids)
  const { because } = await story.expectAsleep()
  const freed = because?.kind === 'slept' ? (because.context?.freedBytes ?? 0) : 0
  if (process.platform === 'linux') expect(freed).toBeGreaterThan(LEAST_FREED)
  expect(await rest.locator('.restHead').innerText()).toMatch(/^(?:Fell a|A)sleep (?:since )?(?:just now|for \d+ min)$/)
  const facts = (await rest.locator('.restFacts').textContent()) ?? ''
  for (const fact of [`${bench.project} · ${BRANCH}`, label, conversation]) expect(facts).toContain(fact)
  if (process.platform === 'linux') expect(facts).toMatch(/\d+ MB of memory freed/)
  await until(async () => (await tile.locator('.host, canvas').count()) === 0, { what: 'the drawing to be gone' })
  expect(Object.keys(await renderersOf(page))).not.toContain(id)
  return freed
}

const renderersOf = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => (globalThis as unknown as { holdfast: { renderers(): Record<string, string> } }).holdfast.renderers())

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** It is moved with the mouse, found again after a reload, and chosen in every way: nothing of it wakes it. */
export async function staysAsleep(story: SleepStory): Promise<void> {
  const { page, tile, rest, id } = story
  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await page.getByLabel('Canvas map').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await rest.waitFor()
  const before = await placeOf(story)
  const box = (await tile.boundingBox()) as Box
  await page.mouse.move(box.x + box.width / 3, box.y + 12)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 3 - 40, box.y + 60, { steps: 4 })
  await page.mouse.move(box.x + box.width / 3 - 90, box.y + 120, { steps: 4 })
  await page.mouse.up()
  const placed = await until(
    async () => {
      const now = await placeOf(story)
      return now.x < before.x && now.y > before.y && now
    },
    { what: 'the daemon to know its place' },
  )
  await page.reload()
  await rest.waitFor()
  await showsStill(page, PICTURE, id)
  expect(await placeOf(story)).toEqual(placed)
  await chosenInEveryWay(story)
  await page.keyboard.type('lost')
  await rest.locator('button.shaken', { hasText: 'Wake' }).waitFor()
  await story.expectAsleep()
}

async function chosenInEveryWay({ page, tile, id }: SleepStory): Promise<void> {
  const isChosen = (wanted: boolean) =>
    until(async () => (await tile.getAttribute('data-focused')) === String(wanted), { what: wanted ? 'it to be chosen' : 'the other one' })
  const row = page.locator(`[data-row="${id}"]`)
  await page.locator('[data-row]').filter({ hasText: 'beside' }).click()
  await isChosen(false)
  await row.click()
  await isChosen(true)
  await page.keyboard.press('Control+Shift+ArrowDown')
  await isChosen(false)
  await page.keyboard.press('Control+Shift+ArrowDown')
  await isChosen(true)
}

const placeOf = async ({ bench, id }: SleepStory): Promise<Box> => {
  const groups = JSON.parse((await bench.hf('group', 'ls', '--json')).stdout) as { workspaces: { canvas: Record<string, Box> }[] }[]
  const found = groups.flatMap(({ workspaces }) => workspaces).find(({ canvas }) => canvas[id] !== undefined)?.canvas[id]
  if (found === undefined) throw new Error(`${id} is on no canvas`)
  return found
}

/** Woken by its button, it tells how far it is, and at no moment there is nothing to be seen; then it is where it was. */
export async function wakesUp(story: SleepStory): Promise<void> {
  const { page, rest, id, terminal } = story
  const place = await placeOf(story)
  expect(await stillOf(page, id)).toMatch(PICTURE)
  const wake = rest.getByRole('button', { name: 'Wake', exact: true })
  const [{ told, blank }] = await Promise.all([watchWake(page, id), wake.click()])
  expect(told).toContain('Resuming…')
  expect(blank, 'what was seen when neither its picture nor its program was').toEqual([])
  await story.expectGoesOn('TWO', ['SECRET'])
  expect(await terminal.screen(), 'what was typed while it slept').not.toContain('lost')
  expect(await placeOf(story)).toEqual(place)
  const history = (await terminal.done('read', terminal.name, '--history', 'all')).stdout
  expect(history).toMatch(/MARK-SECRET[\s\S]*REPLY\s+users=1[\s\S]*── asleep for .+, woken .+ ──[\s\S]*MARK-TWO/)
}

type Watched = { readonly told: readonly string[]; readonly blank: readonly string[] }

/** Frame by frame, until only the program is to be seen. */
const watchWake = (page: Page, id: string): Promise<Watched> =>
  page.evaluate((id) => {
    const { holdfast } = globalThis as unknown as { holdfast: { seen(id: string): readonly string[] } }
    const told = new Set<string>()
    const blank = new Set<string>()
    const begun = performance.now()
    return new Promise<Watched>((resolve) => {
      const look = (): void => {
        const tile = document.querySelector(`[data-terminal="${id}"]`)
        const frost = tile?.querySelector('.frost') ?? null
        told.add(tile?.querySelector('.rest[aria-label="This terminal is waking"]')?.textContent?.trim() ?? '')
        const isPainted = holdfast.seen(id).some((row) => row.trim() !== '')
        const isCovered = frost?.querySelector('img') instanceof HTMLImageElement && frost.getAttribute('data-frost') !== 'clearing'
        if (!isPainted && !isCovered)
          blank.add(`${frost?.getAttribute('data-frost') ?? 'nothing'} after ${Math.round((performance.now() - begun) / 1_000)} s`)
        if (frost === null && isPainted) resolve({ told: [...told], blank: [...blank] })
        else requestAnimationFrame(look)
      }
      look()
    })
  }, id)

/** After a power cut and a reboot the card names it with its conversation, and resumes it; before that, `look` sees its tile. */
export async function survivesReboot(story: SleepStory, look?: () => Promise<unknown>): Promise<void> {
  await story.reboot()
  await look?.()
  const { page } = story
  expect(await story.expectAsleep()).toMatchObject({ because: { kind: 'lost' } })
  const card = page.getByRole('region', { name: 'Interrupted terminals', exact: true })
  await card.getByText('Your machine restarted: 2 terminals were interrupted').waitFor()
  const row = card.locator('.restoreRow').filter({ hasText: story.terminal.name })
  expect(await row.locator('.restoreWith').innerText()).toBe(`resumed: conversation ${story.conversation.slice(0, 8)}…`)
  await card.getByRole('button', { name: 'Resume 2' }).click()
  await card.getByText('All 2 are running again.').waitFor()
}

/** At work, it is refused; forced in the page, the machine goes down while it falls asleep: it sleeps, once, and is not asked for. */
export async function survivesRebootWhileItSettles(story: SleepStory): Promise<void> {
  const { bench, terminal } = story
  await terminal.done('daemon', 'stop')
  await story.start({ HOLDFAST_TRIP: 'settle:asked' })
  await isAtWork(story, 'FOUR')
  const dialog = story.page.getByRole('dialog')
  const isAsked = async () => {
    await story.sleepInPage()
    await dialog.getByText(`Put “${terminal.name}” to sleep anyway?`).waitFor()
    await dialog.getByText(/ is working/).waitFor()
  }
  await isAsked()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await story.view()).state).toBe('live')
  await isAsked()
  await dialog.getByRole('button', { name: 'Put to sleep' }).click()
  await until(() => daemonsOf(bench.home).length === 0, { what: 'the daemon to die' })
  await story.reboot()
  expect(await story.expectAsleep()).toMatchObject({ because: { kind: 'slept', context: { branch: BRANCH } } })
  const card = story.page.getByRole('region', { name: 'Interrupted terminals', exact: true })
  await card.getByText('Your machine restarted: 1 terminal was interrupted').waitFor()
  await story.rest.getByRole('button', { name: 'Wake', exact: true }).click()
}

/** A shell is told why not, and gets its way all the same. */
export async function isForcedToSleep(story: SleepStory): Promise<void> {
  const { bench, terminal } = story
  await isAtWork(story, 'SIX')
  const refused = await bench.hf('sleep', terminal.name)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/cannot sleep ".*": .* is working/)
  expect((await story.view()).state).toBe('live')
  expect(await bench.hf('sleep', '--force', terminal.name)).toMatchObject({ code: 0, stderr: '' })
  await story.expectAsleep()
}

async function isAtWork({ terminal }: SleepStory, mark: string): Promise<void> {
  await terminal.prompt(mark, ' HOLD')
  await terminal.done('wait', terminal.name, '--agent', 'working', '--timeout', '20')
}
