import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Decode } from '../base/utf8.ts'
import { keyBytes, keysBytes } from './keys.ts'

const bytesOf = (name: string, applicationCursor = false): string => {
  const bytes = keyBytes(name, { applicationCursor })
  if (!bytes.ok) throw new Error(bytes.refusal.message)
  return utf8Decode(bytes.value)
}

describe('the bytes of a key', () => {
  it.each([
    ['Enter', '\r'],
    ['Tab', '\t'],
    ['Escape', '\x1b'],
    ['Space', ' '],
    ['Backspace', '\x7f'],
    ['Delete', '\x1b[3~'],
    ['Insert', '\x1b[2~'],
    ['Home', '\x1b[H'],
    ['End', '\x1b[F'],
    ['PageUp', '\x1b[5~'],
    ['PageDown', '\x1b[6~'],
    ['Up', '\x1b[A'],
    ['Down', '\x1b[B'],
    ['Right', '\x1b[C'],
    ['Left', '\x1b[D'],
    ['F1', '\x1bOP'],
    ['F5', '\x1b[15~'],
    ['F12', '\x1b[24~'],
    ['C-c', '\x03'],
    ['C-C', '\x03'],
    ['C-\\', '\x1c'],
    ['C-Space', '\0'],
    ['C-_', '\x1f'],
    ['C--', '\x1f'],
    ['C-?', '\x7f'],
    ['M-x', '\x1bx'],
    ['M-Enter', '\x1b\r'],
    ['S-Tab', '\x1b[Z'],
    ['S-a', 'A'],
    ['S-Enter', '\x1b[13;2u'],
    ['C-Up', '\x1b[1;5A'],
    ['C-S-Left', '\x1b[1;6D'],
    ['M-F2', '\x1b[1;3Q'],
    ['S-PageUp', '\x1b[5;2~'],
    ['C-M-d', '\x1b\x04'],
    ['Comma', ','],
    ['-', '-'],
    ['é', 'é'],
    ['😀', '😀'],
  ])('%s is what xterm sends', (name, bytes) => expect(bytesOf(name)).toBe(bytes))

  it('takes the other form of arrows while a program has asked for it', () => {
    expect(bytesOf('Up', true)).toBe('\x1bOA')
    expect(bytesOf('C-Up', true)).toBe('\x1b[1;5A')
  })

  it.each(['', 'Entre', 'C-', 'C-é', 'F13', 'X-a', 'constructor', 'ab', '\x01'])('refuses %j, naming it', (name) => {
    expect(keyBytes(name)).toMatchObject({ ok: false, refusal: { code: 'key-unknown', message: expect.stringContaining(`"${name}"`) } })
  })

  it('does not care about the case of names or the order of modifiers', () => {
    expect(bytesOf('pageDOWN')).toBe(bytesOf('PageDown'))
    expect(bytesOf('S-C-Up')).toBe(bytesOf('c-s-up'))
  })

  it('never throws, whatever is called a key', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => typeof keyBytes(name).ok === 'boolean'))
  })

  it('refuses a list for its first unknown key', () => {
    expect(keysBytes(['C-c', 'Nope', 'Never'])).toMatchObject({ ok: false, refusal: { message: 'There is no key "Nope".' } })
    expect(keysBytes(['C-c', 'Up'])).toMatchObject({ ok: true })
  })
})
