import { beforeEach, expect, it } from 'vitest'
import { type PasteQuestion, Pasting } from './pasting.ts'

let pasted: string[]
let asked: (PasteQuestion | null)[]
let takesPastes: boolean
let pasting: Pasting

beforeEach(() => {
  ;[pasted, asked, takesPastes] = [[], [], false]
  pasting = new Pasting({
    isGuarded: () => true,
    screen: {
      get takesPastes() {
        return takesPastes
      },
      paste: (text) => void pasted.push(text),
    },
    onQuestion: (question) => void asked.push(question),
  })
})

it.each([
  ['lines', ['one\ntwo\n']],
  ['oneLine', ['one two']],
  ['not', []],
] as const)('lines wait for an answer: %s', (answer, expected) => {
  pasting.take('one\ntwo\n')
  expect([pasted, asked[0]?.lines]).toEqual([[], 2])
  pasting.answer(answer)
  pasting.answer('lines') // a second answer is none
  expect([pasted, asked.at(-1)]).toEqual([expected, null])
})

it('what is harmless is pasted at once', () => {
  pasting.take('one')
  takesPastes = true
  pasting.take('one\ntwo')
  expect([pasted, asked]).toEqual([['one', 'one\ntwo'], []])
})
