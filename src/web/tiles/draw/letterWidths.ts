/**
 * The library measures each letter in each terminal, and makes the browser lay out the page for it. A letter of one font is
 * as wide in all of them, so that here each is measured once.
 */
type WidthCache = {
  readonly _font: string
  readonly _fontSize: number
  readonly _weight: string
  readonly _weightBold: string
  _measure(letters: string, variant: number): number
}
type Core = { readonly _renderService?: { readonly _renderer?: { readonly value?: { readonly _widthCache?: WidthCache } } } }

const widths = new Map<string, number>()
let isShared = false

export function shareLetterWidths(terminal: object): void {
  const cache = (Reflect.get(terminal, '_core') as Core)._renderService?._renderer?.value?._widthCache
  if (isShared || cache === undefined) return
  isShared = true
  const prototype = Object.getPrototypeOf(cache) as WidthCache
  const measure = prototype._measure
  prototype._measure = function (letters, variant) {
    const key = [this._font, this._fontSize, this._weight, this._weightBold, devicePixelRatio, variant, letters].join(' ')
    const known = widths.get(key)
    if (known !== undefined) return known
    const width = measure.call(this, letters, variant)
    if (width > 0) widths.set(key, width) // nothing is wide while it is hidden
    return width
  }
}
