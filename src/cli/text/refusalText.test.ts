import { expect, test } from 'vitest'
import { refusals } from '../../base/refusal.ts'
import { refusalText } from './refusalText.ts'

test('a sentence is shown with its hint below', () => {
  expect(refusalText(refusals.terminalNotFound('api'))).toBe(
    'holdfast: There is no terminal "api".\n  Run holdfast ls to see ids and names.',
  )
})

test('what was typed cannot command the terminal that shows it', () => {
  expect(refusalText(refusals.terminalNotFound('\x1b]0;owned\x07\nok\u202e'))).toBe(
    'holdfast: There is no terminal "]0;ownedok".\n  Run holdfast ls to see ids and names.',
  )
})

test('what was typed cannot fill the terminal, and what is wrong with it is still said', () => {
  const text = refusalText(refusals.nameInvalid('😀'.repeat(100_000)))
  expect([...text].length).toBeLessThan(600)
  expect(text).toMatch(/^holdfast: "😀+…😀+" is not a valid name\.\n {2}Use 1 to 64/u)
})
