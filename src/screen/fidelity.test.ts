import { describe, expect, it } from 'vitest'
import { compareScreens } from '../../test/support/screen/compare.ts'
import { differences, dump } from '../../test/support/screen/dump.ts'
import { FEATURES, UNMODELLED, UNMODELLED_BEFORE } from '../../test/support/screen/features.ts'
import { restored, screenWith } from '../../test/support/screen/feed.ts'
import { PROBES, repliesTo } from '../../test/support/screen/probes.ts'
import { utf8Encode } from '../base/utf8.ts'

describe('a screen restored from its snapshot', () => {
  it.each(Object.entries(FEATURES))('keeps %s', async (_, output) => {
    const original = await screenWith(output)
    const copy = await restored(original, output)
    expect(differences(dump(original), dump(copy))).toEqual([])
    expect(copy.snapshot()).toEqual(original.snapshot())
    expect(await repliesTo(copy)).toBe(await repliesTo(original))
    for (const [moment, input] of Object.entries(PROBES)) {
      await original.feed(utf8Encode(input))
      await copy.feed(utf8Encode(input))
      expect({ [moment]: compareScreens(original, copy) }).toEqual({ [moment]: [] })
    }
  })
})

describe('the engine', () => {
  it.each(Object.entries(UNMODELLED))('takes for nothing: %s', async (_, output) => {
    const [before, after] = [await screenWith(UNMODELLED_BEFORE), await screenWith(UNMODELLED_BEFORE + output)]
    expect(compareScreens(before, after, 'bits').filter((part) => part !== 'parser')).toEqual([])
  })
})

describe('the comparison', () => {
  it('tells every feature from an empty screen and from every other feature', async () => {
    // What is half received shows in how it goes on: as a sequence, a character, a string.
    const tails = [[], [0x6d, 0x41], [0xb1], [0x07, 0x41]].map((bytes) => Uint8Array.from(bytes))
    const tell = async (output: string | Uint8Array) => {
      const screens = await Promise.all(tails.map(() => screenWith(output)))
      await Promise.all(screens.map((screen, index) => screen.feed(tails[index]!)))
      return JSON.stringify(await Promise.all(screens.map(async (screen) => [dump(screen), await repliesTo(screen)])))
    }
    const dumps = await Promise.all(Object.entries(FEATURES).map(async ([name, output]) => [await tell(output), name] as const))
    const byDump = new Map(dumps)
    expect(dumps.filter(([each, name]) => byDump.get(each) !== name).map(([each, name]) => [name, byDump.get(each)])).toEqual([])
    expect(byDump.get(await tell(''))).toBe(undefined)
  }, 120_000)

  it.each([
    ['an attribute', '\x1b[1mA', 'A'],
    ['an underline style', '\x1b[4:3mA', '\x1b[4mA'],
    ['a space from an empty cell', ' ', '\x1b[C'],
    ['a soft wrap from a line end', 'w'.repeat(81), `${'w'.repeat(80)}\r\nw`],
    ['a cursor behind the last column', 'w'.repeat(80), `${'w'.repeat(80)}\x1b[D\x1b[C`],
    ['a link', '\x1b]8;;a:b\x07x\x1b]8;;\x07', 'x'],
    ['what lies beneath the alternate screen', 'a\x1b[?1049h\x1b[H', 'b\x1b[?1049h\x1b[H'],
  ])('tells %s', async (_, one, other) => {
    expect(differences(dump(await screenWith(one)), dump(await screenWith(other)))).not.toEqual([])
  })
})
