/** Keys the page takes for itself, and keys that a phone's keyboard lacks. */
export type PageKey = 'next' | 'previous' | 'copy'

type Pressed = Pick<KeyboardEvent, 'type' | 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

const PAGE_KEYS: Readonly<Record<string, PageKey>> = { ArrowDown: 'next', ArrowUp: 'previous', C: 'copy' }

export function pageKeyOf({ type, key, ctrlKey, shiftKey, altKey, metaKey }: Pressed): PageKey | null {
  if (type !== 'keydown' || !ctrlKey || !shiftKey || altKey || metaKey) return null
  return PAGE_KEYS[key] ?? null
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
