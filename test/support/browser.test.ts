import { expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { until } from './milestone.ts'

test('a real browser opens a page, hears its complaints and is gone after close', async () => {
  const { openPage, complaints, browser, close } = await launchBrowser()
  const page = await openPage()
  await page.setContent('<title>hello</title><script>console.error("oh")</script>')
  expect(await page.title()).toBe('hello')
  await until(() => complaints.includes('oh'), { what: 'the complaint' })
  await close()
  expect(browser.isConnected()).toBe(false)
}, 60_000)
