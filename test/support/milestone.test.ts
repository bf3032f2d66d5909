import { expect, test } from 'vitest'
import { until } from './milestone.ts'

test('until returns the first value that is there', async () => {
  let calls = 0
  expect(await until(() => (++calls < 3 ? null : calls), { what: 'the third call' })).toBe(3)
})

test('until takes zero and the empty string as values', async () => {
  expect(await until(() => 0, { what: 'a number' })).toBe(0)
  expect(await until(() => '', { what: 'a text' })).toBe('')
})

test('until says what it waited for and what it saw last', async () => {
  const waiting = until(
    () => {
      throw new Error('connection refused')
    },
    { what: 'the daemon to answer', timeoutMs: 30 },
  )
  await expect(waiting).rejects.toThrow('waited 30 ms for the daemon to answer; last: connection refused')
})
