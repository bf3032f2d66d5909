import { beforeEach, expect, it } from 'vitest'
import { CopyConsent } from './copyConsent.ts'

let policy: 'ask' | 'allow' | 'never'
let copied: string[]
let asked: (number | null)[]
let browserLets: boolean
let consent: CopyConsent

beforeEach(() => {
  ;[policy, copied, asked, browserLets] = ['ask', [], [], true]
  consent = new CopyConsent({
    policy: () => policy,
    copy: (text) => {
      if (browserLets) copied.push(text)
      return Promise.resolve(browserLets)
    },
    onAsked: (characters) => asked.push(characters),
  })
})

it('nothing is copied before the user says so, and after a no never', async () => {
  await consent.asked('secret')
  expect([copied, asked]).toEqual([[], [6]])
  await consent.answer('no')
  expect([copied, asked]).toEqual([[], [6, null]])
})

it('once is once, of what was asked last; always is without a question from then on', async () => {
  await consent.asked('one')
  await consent.asked('three')
  await consent.answer('once')
  await consent.asked('four')
  expect([copied, asked]).toEqual([['three'], [3, 5, null, 4]])
  await consent.answer('always')
  await consent.asked('five')
  expect(copied).toEqual(['three', 'four', 'five'])
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
  expect(asked).toEqual([2])
  browserLets = true
  await consent.answer('once')
  expect(copied).toEqual(['ab'])
})
