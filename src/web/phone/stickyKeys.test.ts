import { describe, expect, it } from 'vitest'
import { isHeld, NOTHING_HELD, type Sticky, tapped, typedWith } from './stickyKeys.ts'

const ctrl = tapped(NOTHING_HELD, 'ctrl', 0)
const alt = tapped(NOTHING_HELD, 'alt', 0)
const both = tapped(ctrl, 'alt', 0)
const sent = (sticky: Sticky, ...keys: string[]) => keys.map((key) => typedWith(sticky, key).text)

describe('a tap', () => {
  it('holds the modifier for one key', () => {
    const first = typedWith(ctrl, 'c')
    expect(first.text).toBe('\x03')
    expect(typedWith(first.sticky, 'c').text).toBe('c')
  })

  it('twice in a row locks it until the next tap', () => {
    const locked = tapped(ctrl, 'ctrl', 300)
    const after = typedWith(locked, 'a').sticky
    expect(typedWith(after, 'b').text).toBe('\x02')
    expect(isHeld(tapped(after, 'ctrl', 9_000).ctrl)).toBe(false)
  })

  it('later lets it go again', () => {
    expect(isHeld(tapped(ctrl, 'ctrl', 401).ctrl)).toBe(false)
  })

  it('on one modifier leaves the other as it is', () => {
    expect([isHeld(both.ctrl), isHeld(both.alt), isHeld(tapped(both, 'alt', 900).ctrl)]).toEqual([true, true, true])
  })
})

describe('what is typed', () => {
  it('is untouched where nothing is held', () => {
    expect(sent(NOTHING_HELD, 'c', '\x1b[A', 'ü', '\x1b[200~c\x1b[201~')).toEqual(['c', '\x1b[A', 'ü', '\x1b[200~c\x1b[201~'])
  })

  it('with Ctrl is what a keyboard sends', () => {
    expect(sent(ctrl, 'a', 'Z', '[', '\\', ']', '^', '_', '@', ' ', '?', '/', '3', '\x7f', 'ü', '\r', '\t')).toEqual([
      '\x01',
      '\x1a',
      '\x1b',
      '\x1c',
      '\x1d',
      '\x1e',
      '\x1f',
      '\0',
      '\0',
      '\x7f',
      '\x1f',
      '\x1b',
      '\b',
      'ü',
      '\r',
      '\t',
    ])
  })

  it('with Alt follows an escape, with both also', () => {
    expect(sent(alt, 'f', 'ü', '\x7f')).toEqual(['\x1bf', '\x1bü', '\x1b\x7f'])
    expect(sent(both, 'f')).toEqual(['\x1b\x06'])
  })

  it('as cursor and function keys tells what is held by a number, in both of their forms', () => {
    expect(sent(ctrl, '\x1b[A', '\x1bOC', '\x1b[H', '\x1b[5~')).toEqual(['\x1b[1;5A', '\x1b[1;5C', '\x1b[1;5H', '\x1b[5;5~'])
    expect([...sent(alt, '\x1b[D'), ...sent(both, '\x1b[D')]).toEqual(['\x1b[1;3D', '\x1b[1;7D'])
  })

  it('as a word out of a dictionary is changed in its first character', () => {
    expect(sent(ctrl, 'ls ', '👍🏽')).toEqual(['\x0cs ', '👍🏽'])
  })

  it('keeps what is held while a mouse, a paste or the terminal itself speaks', () => {
    for (const text of ['\x1b[<0;3;4M', '\x1b[I', '\x1b[200~rm\x1b[201~', '\x1b[?62c', 'one\rtwo', 'x'.repeat(33), '']) {
      expect(typedWith(ctrl, text)).toEqual({ text, sticky: ctrl })
    }
  })
})
