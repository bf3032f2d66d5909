import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Unsaid } from './unsaid.ts'

let said: (string | null)[]
let unsaid: Unsaid
const bytes = (text: string) => new TextEncoder().encode(text)

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  unsaid = new Unsaid((words) => said.push(words))
})
afterEach(() => void vi.useRealTimers())

it('says why a key was not sent, for a moment after the last one', () => {
  unsaid.say('away', bytes('a'))
  vi.advanceTimersByTime(2_000)
  unsaid.say('notRunning', bytes('\x1b[A'))
  vi.advanceTimersByTime(2_000)
  expect(said).toEqual(['Not sent: the daemon is away', 'Not sent: no program is running here'])
  vi.advanceTimersByTime(1_000)
  expect(said.at(-1)).toBeNull()
})

it('says nothing about what nobody typed', () => {
  for (const report of ['\x1b[I', '\x1b[O', '\x1b[<0;1;1M', '\x1b[M !!']) unsaid.say('away', bytes(report))
  expect(said).toEqual([])
})

it('says once that this browser is view only, until the terminal has lost the keyboard', () => {
  for (const key of ['l', 's', '\r']) unsaid.say('viewOnly', bytes(key))
  vi.advanceTimersByTime(5_000)
  unsaid.say('viewOnly', bytes('l'))
  expect(said).toEqual(['View only: this browser cannot type here.', null])
  unsaid.left()
  unsaid.say('viewOnly', bytes('l'))
  expect(said).toHaveLength(3)
})
