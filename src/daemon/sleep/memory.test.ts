import { expect, test } from 'vitest'
import { availablePercent, memoryOf } from './memory.ts'

const files: Readonly<Record<string, string>> = {
  '10/smaps_rollup': '55d0-7ffe ---p 00000000 00:00 0 [rollup]\nRss:              900 kB\nPss:              300 kB\nPss_Anon:  200 kB\n',
  '11/status': 'Name:\tsu\nVmRSS:\t     100 kB\nRssAnon:\t 10 kB\n',
}
const read = (path: string) => Promise.resolve(files[path] ?? null)

test('what processes hold is their own share, or all they have where that is not told', async () => {
  expect(await memoryOf([10, 11, 12], read)).toBe(400 * 1024)
})

test('where nobody tells, it is not known', async () => {
  expect(await memoryOf([12], read)).toBeNull()
  expect(await memoryOf([10], null)).toBeNull()
})

test.runIf(process.platform === 'linux')('this process holds some, and some of the machine is left', async () => {
  expect(await memoryOf([process.pid])).toBeGreaterThan(1 << 20)
  expect(availablePercent()).toBeGreaterThan(0)
  expect(availablePercent()).toBeLessThanOrEqual(100)
})
