import { expect, it, vi } from 'vitest'
import { shareLetterWidths } from './letterWidths.ts'

class Cache {
  static measured: string[] = []
  static width = 8
  readonly _font: string
  readonly _fontSize = 14
  readonly _weight = 'normal'
  readonly _weightBold = 'bold'
  constructor(font: string) {
    this._font = font
  }
  _measure(letters: string, variant: number): number {
    Cache.measured.push(`${this._font} ${letters} ${variant}`)
    return Cache.width
  }
}
const terminalWith = (cache: Cache) => ({ _core: { _renderService: { _renderer: { value: { _widthCache: cache } } } } })

it('measures a letter of a font once for all terminals, and never keeps what was measured while hidden', () => {
  vi.stubGlobal('devicePixelRatio', 1)
  const [one, same, other] = [new Cache('mono'), new Cache('mono'), new Cache('serif')]
  shareLetterWidths({ _core: {} }) // drawn by the graphics card
  for (const cache of [one, same, other]) shareLetterWidths(terminalWith(cache))
  Cache.width = 0
  expect(one._measure('a', 0)).toBe(0)
  Cache.width = 8
  for (const cache of [one, same, other]) expect([cache._measure('a', 0), cache._measure('a', 1)]).toEqual([8, 8])
  expect(Cache.measured).toEqual(['mono a 0', 'mono a 0', 'mono a 1', 'serif a 0', 'serif a 1'])
  vi.unstubAllGlobals()
})
