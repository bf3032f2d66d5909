import { expect, it } from 'vitest'
import { clipboardTextOf } from './osc52.ts'

const said = (text: string, to = 'c') => `${to};${Buffer.from(text).toString('base64')}`

it('a program can ask that a text be copied', () => {
  expect(clipboardTextOf(said('grüße 🙂'))).toBe('grüße 🙂')
  expect(clipboardTextOf(said('x', ''))).toBe('x')
  expect(clipboardTextOf(said('x', 'pc'))).toBe('x')
})

it.each([
  ['a question about the clipboard', 'c;?'],
  ['an empty text, which would clear it', 'c;'],
  ['what is not base64', 'c;@@@'],
  ['what is no text', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`],
  ['what lacks its parts', 'c'],
])('%s is nothing to copy', (_, data) => {
  expect(clipboardTextOf(data)).toBeNull()
})
