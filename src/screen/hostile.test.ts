import { describe, expect, it } from 'vitest'
import { screenWith } from '../../test/support/screen/feed.ts'
import { utf8Encode } from '../base/utf8.ts'
import { MAX_LINK_CHARACTERS, MAX_LINKS, MAX_URI } from './engine/linkCaps.ts'
import { MAX_STRING } from './engine/stringCaps.ts'
import type { ScreenEvent } from './events.ts'
import { createScreen, type Screen, wholeOf } from './screen.ts'
import { differingParts } from './snapshot/compare.ts'
import { encodeSnapshot } from './snapshot/snapshotBytes.ts'

const feed = (screen: Screen, output: string) => screen.feed(utf8Encode(output))
const internals = (screen: Screen) => wholeOf(screen).engine.internals
const LONG = 'x'.repeat(3 * MAX_STRING)

/** Characters that the handlers of the current string hold. */
function heldInStrings(screen: Screen): number {
  const { _oscParser, _dcsParser } = internals(screen)._inputHandler._parser
  const active = [_oscParser, _dcsParser].flatMap((parser) => Reflect.get(parser, '_active') as object[])
  return active.reduce((sum, handler) => sum + String(Reflect.get(handler, '_data') ?? '').length, 0)
}

describe('a string without bound', () => {
  it.each([
    ['a title', '\x1b]2;'],
    ['a hyperlink', '\x1b]8;;http://'],
    ['a colour', '\x1b]4;1;'],
    ['a notification', '\x1b]9;'],
    ['a status request', '\x1bP$q'],
    ['an image', '\x1bPq'],
    ['an application command', '\x1b_G'],
    ['an ignored one', '\x1bP0<'],
  ])('is let go of, ends where it ends, and does nothing: %s', async (_, start) => {
    const screen = await screenWith('\x1b]2;before\x07')
    const replies: string[] = []
    screen.onReply((text) => replies.push(text))
    await feed(screen, start + LONG)
    expect(heldInStrings(screen)).toBe(0)
    await feed(screen, `${LONG}\x1b\\after`)
    expect(screen.text()).toBe('after')
    expect(screen.title).toBe('before')
    expect(replies.join('')).not.toContain('xxx')
  })

  it.each(['\x1b]2;', '\x1bP$q', '\x1bPq', '\x1b_G', '\x1bP0<', '\u009d2;'])('does not hold snapshots back: %j', async (start) => {
    const screen = await screenWith(`shown${start}${LONG}`)
    const snapshot = screen.snapshot()
    expect(snapshot.seq).toBe(screen.seq)
    expect(encodeSnapshot(snapshot).length).toBeLessThan(10_000)
    const copy = await screenWith('')
    await copy.restore(snapshot)
    for (const each of [screen, copy]) await feed(each, 'still inside\x1b\\ and after')
    expect(copy.text()).toBe('shown and after')
    expect(differingParts(wholeOf(screen), wholeOf(copy), { history: 500 })).toEqual([])
    expect(copy.seq).toBe(screen.seq)
  })

  it('takes effect as long as it is within bounds', async () => {
    const screen = await screenWith(`\x1b]2;${'t'.repeat(MAX_STRING - 10)}\x07`)
    expect(screen.title).toBe('t'.repeat(256))
  })
})

describe('what a program can make its terminal remember', () => {
  it('is bounded for titles', async () => {
    const screen = await screenWith(`\x1b]0;${'t'.repeat(100_000)}\x07${'\x1b[22;0t'.repeat(100)}`)
    const { _windowTitleStack: stack, _windowTitle: title } = internals(screen)._inputHandler
    expect(title).toHaveLength(256)
    expect(stack.length).toBeLessThanOrEqual(10)
    expect(stack.every((entry) => entry.length <= 256)).toBe(true)
    expect(Reflect.get(internals(screen)._inputHandler, '_iconName')).toBe('')
  })

  it('is bounded for hyperlinks: the oldest are forgotten, their text stays', async () => {
    const screen = createScreen({ cols: 80, rows: 24, scrollback: 10_000 })
    const link = (index: number, uri: string) => `\x1b]8;${index % 2 ? `id=${index}` : ''};${uri}\x07${index}\r\n`
    const short = Array.from({ length: 6_000 }, (_, index) => link(index, `http://a.b/${index}`))
    await feed(screen, short.join(''))
    const { _dataByLinkId: links, _entriesWithId: named } = internals(screen)._oscLinkService
    expect(links.size).toBeLessThanOrEqual(MAX_LINKS)
    expect(named.size).toBeLessThanOrEqual(MAX_LINKS)
    expect([...links.values()].at(-1)?.data.uri).toBe('http://a.b/5999')
    expect(screen.text({ history: 'all' }).split('\n').slice(0, 3)).toEqual(['0', '1', '2'])
    await feed(screen, Array.from({ length: 1_000 }, (_, index) => link(index, `http://a.b/${index}/${'p'.repeat(2_000)}`)).join(''))
    const characters = [...links.values()].reduce((sum, { data }) => sum + data.uri.length, 0)
    expect(characters).toBeLessThanOrEqual(MAX_LINK_CHARACTERS)
    expect(screen.checkedSnapshot().differs).toEqual([])
    await feed(screen, '\x1bc')
    expect([links.size, named.size]).toEqual([0, 0])
  })

  it('is bounded for one hyperlink: a longer one is none', async () => {
    const screen = await screenWith(
      `\x1b]8;;http://${'u'.repeat(MAX_URI)}\x07a\x1b]8;id=${'i'.repeat(300)};http://b\x07b\x1b]8;;http://c\x07c`,
    )
    expect([...internals(screen)._oscLinkService._dataByLinkId.values()].map(({ data }) => data.uri)).toEqual(['http://c'])
    expect(screen.json().lines[0]?.spans.map(({ text, style }) => [text, style.link])).toEqual([
      ['ab', undefined],
      ['c', 'http://c'],
    ])
  })

  it('is bounded for everything else', async () => {
    const events: ScreenEvent[] = []
    const screen = createScreen({ cols: 80, rows: 24 })
    screen.onEvent((event) => events.push(event))
    await feed(screen, '\x1b[>1u'.repeat(1_000))
    for (let index = 0; index < 2_000; index++) await feed(screen, `\x1b]4;${index};#010203\x07\x1b[?${index}h`)
    await feed(
      screen,
      `\x1b[?1049l\x1b]7;file:///${'c'.repeat(10_000)}\x07\x1b]9;${'n'.repeat(10_000)}\x07\x1b]633;E;${'e'.repeat(50_000)}\x07`,
    )
    await feed(screen, `e${'\u0301'.repeat(10_000)}`)
    const { state } = wholeOf(screen)
    expect(state.keyboard.main.length).toBeLessThanOrEqual(16)
    expect(state.colors.size).toBeLessThanOrEqual(259)
    expect(state.modes.size).toBeLessThanOrEqual(10)
    expect(screen.cwd).toBe('')
    expect(JSON.stringify(events).length).toBeLessThan(10_000)
    expect(encodeSnapshot(screen.snapshot()).length).toBeLessThan(100_000)
  })

  it('is bounded for links as events', async () => {
    const screen = createScreen({ cols: 80, rows: 24 })
    const uris: string[] = []
    screen.onEvent((event) => void (event.kind === 'link' && uris.push(event.uri)))
    for (const round of [1, 2]) for (let index = 0; index < 300; index++) await feed(screen, `\x1b]8;;http://a/${index}\x07${round}`)
    expect(uris).toHaveLength(600) // 300 are more than it remembers
    await feed(screen, '\x1b]8;;http://a/299\x07x')
    expect(uris).toHaveLength(600)
  })
})

it('answers no more to one question than there is to say', async () => {
  for (const [question, most] of [
    [`\x1b]4;${'1;?;'.repeat(100_000)}\x07`, 256 * 30],
    [`\x1bP+q${'436f;'.repeat(100_000)}436f\x1b\\`, 100],
  ] as const) {
    const screen = createScreen({ cols: 80, rows: 24 })
    let heard = ''
    screen.onReply((text) => {
      heard += text
    })
    await feed(screen, question)
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.length).toBeLessThan(most)
  }
})

describe('a count without bound', () => {
  it.each([...'LMSTIZb@PXABCDEFGHdaefhlmr`', ' @', ' A', "'}", "'~"])('does not keep the terminal busy: %s', async (final) => {
    const screen = await screenWith('one\r\ntwo\r\nthree')
    await feed(screen, `\x1b[2;2H\x1b[2147483647${final}`)
    await feed(screen, '\x1b[2147483647;2147483647H.')
    expect(screen.seq).toBeGreaterThan(30)
    expect(screen.checkedSnapshot().differs).toEqual([])
  })

  it.each(['L', 'M', 'S', 'T', 'I', 'Z'])('does as much as there is to do: %s', async (final) => {
    const [most, more] = [await screenWith('a\tb\r\nc\x1b[2;5r\x1b[3;3H'), await screenWith('a\tb\r\nc\x1b[2;5r\x1b[3;3H')]
    await feed(most, `\x1b[80${final}`)
    await feed(more, `\x1b[9999${final}`)
    expect(more.json()).toEqual(most.json())
  })
})

describe('the engine', () => {
  it('keeps combined characters where they are when lines are wrapped anew', async () => {
    const screen = await screenWith(`${'a'.repeat(30)}e\u0301${'b'.repeat(30)}o\u0308${'c'.repeat(30)}\r\n`, { cols: 40, rows: 5 })
    await feed(screen, `\x1b[1;11Hn\u0303\x1b[1;11Hx\x1b[5;1H`) // what was combined is overwritten
    await screen.resize({ cols: 17, rows: 5 })
    await screen.resize({ cols: 40, rows: 5 })
    expect(screen.text({ history: 'all' })).toBe(`${'a'.repeat(10)}x${'a'.repeat(19)}e\u0301${'b'.repeat(30)}o\u0308${'c'.repeat(30)}`)
  })

  it('keeps the line of the cursor when a full history is wrapped anew', async () => {
    const screen = createScreen({ cols: 20, rows: 4, scrollback: 20 })
    await feed(screen, `${'a'.repeat(1_000)}\r\nprompt`)
    await screen.resize({ cols: 6, rows: 4 })
    expect(screen.text().split('\n').at(-1)).toBe('prompt')
  })

  it('does not let an alternate screen scroll into a history of its own', async () => {
    const screen = createScreen({ cols: 20, rows: 8 })
    await screen.resize({ cols: 20, rows: 2 })
    await feed(screen, '\x1b[?1049h\x1b[Hone\r\ntwo\r\nthree')
    expect(screen.text()).toBe('two\nthree')
    expect(internals(screen)._bufferService.buffers.alt.ybase).toBe(0)
  })

  it('draws the right margin without wrapping the same however the bytes are cut', async () => {
    const output = `\x1b[?7l${'x'.repeat(16)}日日a日\u0301b`
    const whole = await screenWith(output, { cols: 20, rows: 4 })
    const pieces = createScreen({ cols: 20, rows: 4 })
    for (const character of output) await feed(pieces, character)
    expect(differingParts(wholeOf(whole), wholeOf(pieces), { history: 0 })).toEqual([])
  })
})
