/** Keys that scroll. */
export type Pressed = Pick<KeyboardEvent, 'type' | 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

const EVERYTHING = 1_000_000 // rows; there are never so many

/** How many rows a key scrolls; null: it is no key for that. A program that is not running does not want its keys. */
export function scrollOf(pressed: Pressed, { isLive, rows }: { readonly isLive: boolean; readonly rows: number }): number | null {
  const { type, key, ctrlKey, shiftKey, altKey, metaKey } = pressed
  if (type !== 'keydown' || altKey || metaKey) return null
  const page = Math.max(1, rows - 1)
  if (ctrlKey && shiftKey) return key === 'Home' ? -EVERYTHING : key === 'End' ? EVERYTHING : null
  if (ctrlKey || (isLive && !shiftKey)) return null
  if (key === 'PageUp') return -page
  if (key === 'PageDown') return page
  if (isLive) return null
  const further: Readonly<Record<string, number>> = { Home: -EVERYTHING, End: EVERYTHING, ArrowUp: -1, ArrowDown: 1 }
  return further[key] ?? null
}
