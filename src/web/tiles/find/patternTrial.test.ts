import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PatternTrial } from './patternTrial.ts'

type Fake = { onmessage: unknown; onerror: unknown; postMessage: (job: unknown) => void; terminate: () => void }

let started: { jobs: unknown[]; isEnded: boolean; answer: () => void }[]
let trial: PatternTrial
const query = (text: string) => ({ text, isCase: false, isRegex: true })

beforeEach(() => {
  vi.useFakeTimers()
  started = []
  trial = new PatternTrial(() => {
    const jobs: unknown[] = []
    const worker: Fake = {
      ...{ onmessage: null, onerror: null },
      postMessage: (job) => void jobs.push(job),
      terminate: () => {
        seen.isEnded = true
      },
    }
    const seen = { jobs, isEnded: false, answer: () => (worker.onmessage as () => void)() }
    started.push(seen)
    return worker as never
  })
})
afterEach(() => void vi.useRealTimers())

it('is quick when the worker answers in time, and asks the same worker again', async () => {
  for (const pattern of ['a+', 'b+']) {
    const quick = trial.isQuick(query(pattern), 'text')
    started[0]?.answer()
    expect(await quick).toBe(true)
  }
  expect(started).toMatchObject([{ jobs: [{ pattern: 'a+' }, { pattern: 'b+' }], isEnded: false }])
})

it('ends the worker that does not answer in time, and begins with another one', async () => {
  const slow = trial.isQuick(query('(a+)+$'), 'aaaaaaaaaaab')
  await vi.advanceTimersByTimeAsync(500)
  expect([await slow, started[0]?.isEnded]).toEqual([false, true])
  const quick = trial.isQuick(query('a'), 'a')
  started[1]?.answer()
  expect(await quick).toBe(true)
})

it('gives up a trial when another pattern is typed', async () => {
  const first = trial.isQuick(query('(a+)+$'), 'text')
  const second = trial.isQuick(query('a'), 'text')
  expect([await first, started[0]?.isEnded]).toEqual([false, true])
  started[1]?.answer()
  expect(await second).toBe(true)
})
