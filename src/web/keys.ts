/** Keys that scroll, and keys that a phone's keyboard lacks. */
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

export type TouchKey = { readonly label: string; readonly name: string; readonly bytes: string; readonly application?: string }

export const TOUCH_KEYS: readonly TouchKey[] = [
  { label: 'esc', name: 'Escape', bytes: '\x1b' },
  { label: 'tab', name: 'Tab', bytes: '\t' },
  { label: '^C', name: 'Control C', bytes: '\x03' },
  { label: '^D', name: 'Control D', bytes: '\x04' },
  { label: '↑', name: 'Up', bytes: '\x1b[A', application: '\x1bOA' },
  { label: '↓', name: 'Down', bytes: '\x1b[B', application: '\x1bOB' },
  { label: '←', name: 'Left', bytes: '\x1b[D', application: '\x1bOD' },
  { label: '→', name: 'Right', bytes: '\x1b[C', application: '\x1bOC' },
]
