import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DetachKeys, NEXT_KEY_WITHIN_MS } from './detachKeys.ts'

const CTRL_BACKSLASH = '\x1c'
const make = () => new DetachKeys({ sequence: [Buffer.from(CTRL_BACKSLASH), Buffer.from(CTRL_BACKSLASH)], escape: '~' })
const bytes = (text: string) => Buffer.from(text, 'latin1')
const text = (passed: Uint8Array) => Buffer.from(passed).toString('latin1')

/** What the program gets and whether the user left, for input that arrives in these pieces. */
function typed(pieces: readonly string[], keys = make()): { passed: string; detached: boolean } {
  let passed = ''
  for (const piece of pieces) {
    const step = keys.feed(bytes(piece))
    passed += text(step.pass)
    if (step.detached) return { passed, detached: true }
  }
  return { passed, detached: false }
}

describe('the detach key', () => {
  it('detaches when pressed twice', () => {
    expect(typed(['ls\r', CTRL_BACKSLASH, CTRL_BACKSLASH])).toEqual({ passed: 'ls\r', detached: true })
    expect(typed([CTRL_BACKSLASH + CTRL_BACKSLASH])).toEqual({ passed: '', detached: true })
  })

  it('reaches the program when pressed once, after the wait', () => {
    const keys = make()
    expect(keys.feed(bytes(CTRL_BACKSLASH))).toMatchObject({ detached: false, releaseInMs: NEXT_KEY_WITHIN_MS })
    expect(text(keys.release())).toBe(CTRL_BACKSLASH)
    expect(typed([CTRL_BACKSLASH], keys)).toEqual({ passed: '', detached: false })
  })

  it('reaches the program together with the next different key', () => {
    expect(typed([CTRL_BACKSLASH, 'x'])).toEqual({ passed: `${CTRL_BACKSLASH}x`, detached: false })
  })

  it('is recognised in the forms that programs can ask the terminal for', () => {
    const press = '\x1b[92;5u'
    const release = '\x1b[92;5:3u'
    expect(typed([press, press]).detached).toBe(true)
    expect(typed([press, release, press, release]).detached).toBe(true)
    expect(typed(['\x1b[27;5;92~', '\x1b[27;5;92~']).detached).toBe(true)
    expect(typed([press, release, 'q'])).toEqual({ passed: `${press}${release}q`, detached: false })
  })

  it('does not hold back Escape, nor Alt with a bracket', () => {
    expect(typed(['\x1b'])).toEqual({ passed: '\x1b', detached: false })
    expect(typed(['\x1b['])).toEqual({ passed: '\x1b[', detached: false })
  })
})

describe('other detach keys', () => {
  const sequenceOf = (...keys: string[]) => new DetachKeys({ sequence: keys.map(bytes), escape: '~' })

  it('may be one key, which then detaches at once', () => {
    expect(typed(['a\x1d'], sequenceOf('\x1d'))).toEqual({ passed: 'a', detached: true })
  })

  it('may be different keys, as in screen and tmux', () => {
    expect(typed(['d', '\x01', 'd'], sequenceOf('\x01', 'd'))).toEqual({ passed: 'd', detached: true })
    expect(typed(['\x01', 'x', 'd'], sequenceOf('\x01', 'd'))).toEqual({ passed: '\x01xd', detached: false })
    expect(typed(['\x01', '\x01', 'd'], sequenceOf('\x01', 'd'))).toEqual({ passed: '\x01', detached: true })
  })

  it('are found behind a false start that overlaps them', () => {
    expect(typed(['aaab'], sequenceOf('a', 'a', 'b'))).toEqual({ passed: 'a', detached: true })
  })

  it('leave the escape as it is', () => {
    expect(typed(['\r~.'], sequenceOf('.', '~')).detached).toBe(true)
    expect(typed(['\r~~a'], sequenceOf('~', 'x'))).toEqual({ passed: '\r~~a', detached: false })
  })
})

describe('the keys that scroll', () => {
  const scrolling = () =>
    new DetachKeys({
      sequence: [bytes(CTRL_BACKSLASH), bytes(CTRL_BACKSLASH)],
      escape: '~',
      scroll: [
        [bytes(CTRL_BACKSLASH), bytes('[')],
        [bytes(CTRL_BACKSLASH), bytes('\x1b[5~')],
      ],
    })
  const scrolled = (piece: string) => {
    const { pass, detached, scrolls } = scrolling().feed(bytes(piece))
    return { pass: text(pass), detached, scrolls: scrolls === null ? null : text(scrolls) }
  }

  it('begin as the detach keys do, and are no less free for the program on their own', () => {
    expect(scrolled(`a${CTRL_BACKSLASH}[b`)).toEqual({ pass: 'a', detached: false, scrolls: 'b' })
    expect(scrolled(`${CTRL_BACKSLASH}\x1b[5~`)).toEqual({ pass: '', detached: false, scrolls: '' })
    expect(scrolled(CTRL_BACKSLASH + CTRL_BACKSLASH)).toMatchObject({ detached: true, scrolls: null })
    expect(scrolled(`[\x1b[5~${CTRL_BACKSLASH}]`)).toEqual({ pass: `[\x1b[5~${CTRL_BACKSLASH}]`, detached: false, scrolls: null })
  })

  it('are recognised in the forms that programs can ask the terminal for', () => {
    expect(scrolled('\x1b[92;5u\x1b[92;5:3u\x1b[91;1:1u').scrolls).toBe('')
    expect(scrolled('\x1b[92;5u\x1b[5;1:1~').scrolls).toBe('')
  })

  it('are text in a paste', () => {
    expect(scrolled(`\x1b[200~${CTRL_BACKSLASH}[\x1b[201~`).scrolls).toBeNull()
  })
})

describe('the escape', () => {
  it('detaches at the beginning of a line', () => {
    expect(typed(['~.']).detached).toBe(true)
    expect(typed(['ls', '\r', '~', '.'])).toEqual({ passed: 'ls\r', detached: true })
  })

  it('is text anywhere else, and before anything else', () => {
    expect(typed(['a~.'])).toEqual({ passed: 'a~.', detached: false })
    expect(typed(['\r~/src'])).toEqual({ passed: '\r~/src', detached: false })
  })

  it('is typed by typing it twice', () => {
    expect(typed(['\r~~.'])).toEqual({ passed: '\r~.', detached: false })
  })

  it('stays held however long the user thinks', () => {
    const keys = make()
    expect(keys.feed(bytes('~')).releaseInMs).toBeNull()
    expect(text(keys.release())).toBe('')
    expect(typed(['.'], keys).detached).toBe(true)
  })
})

describe('what is typed', () => {
  it('is never taken for a detach while it is pasted', () => {
    const paste = `\x1b[200~a\r~.\r${CTRL_BACKSLASH}${CTRL_BACKSLASH}\x1b[201~`
    expect(typed([paste])).toEqual({ passed: paste, detached: false })
    expect(typed([paste, CTRL_BACKSLASH, CTRL_BACKSLASH]).detached).toBe(true)
  })

  it('passes everything when both ways are switched off', () => {
    const keys = new DetachKeys({ sequence: [], escape: null })
    expect(typed([`\r~.${CTRL_BACKSLASH}${CTRL_BACKSLASH}`], keys)).toEqual({
      passed: `\r~.${CTRL_BACKSLASH}${CTRL_BACKSLASH}`,
      detached: false,
    })
  })

  const keystroke = fc.constantFrom(
    'a',
    '~',
    '.',
    '\r',
    '\n',
    CTRL_BACKSLASH,
    '\x1b[A',
    '\x1b[2~',
    '\x1b[92;5u',
    '\x1b[92;5:3u',
    '\x1b[200~',
    '\x1b[201~',
    'é',
  )

  it('means the same however it is cut, as long as the first three bytes of a key come together', () => {
    fc.assert(
      fc.property(fc.array(keystroke, { maxLength: 20 }), fc.array(fc.nat({ max: 8 })), (strokes, cuts) => {
        const whole = strokes.join('')
        const pieces = cut(whole, cuts)
        expect(typed(pieces)).toEqual(typed([whole]))
      }),
    )
  })

  it('is never lost, doubled or reordered when nobody detaches', () => {
    fc.assert(
      fc.property(fc.array(keystroke, { maxLength: 20 }), fc.array(fc.nat({ max: 8 })), (strokes, cuts) => {
        const whole = strokes.join('')
        const keys = make()
        const { passed, detached } = typed(cut(whole, cuts), keys)
        const rest = detached ? '' : text(keys.release()) + typed(['x'], keys).passed
        if (detached) expect(undoubled(whole).startsWith(undoubled(passed))).toBe(true)
        else expect(undoubled(passed + rest)).toBe(undoubled(`${whole}x`))
      }),
    )
  })

  /** At a line's beginning two escape characters are one; for counting bytes that is the only change allowed. */
  const undoubled = (all: string) => all.replaceAll(/~+/g, '~')

  /** Cuts at the given distances, but never inside the first three bytes of an escape sequence. */
  function cut(whole: string, distances: readonly number[]): string[] {
    const pieces: string[] = []
    let from = 0
    let at = 0
    for (const distance of distances) {
      at += distance
      const keyAt = whole.lastIndexOf('\x1b', at - 1)
      if (keyAt >= 0 && at > keyAt && at < keyAt + 3) at = keyAt + 3
      if (at >= whole.length) break
      pieces.push(whole.slice(from, at))
      from = at
    }
    return [...pieces, whole.slice(from)]
  }
})
