/** What a shortcut of the installed page wants to begin with: its address says it. */
import type { Overlay } from '../state/overlay.ts'

export function wishOf(search: string): Overlay | null {
  switch (new URLSearchParams(search).get('do')) {
    case 'new':
      return { kind: 'newTerminal', place: null }
    case 'find':
      return { kind: 'palette', text: '' }
    default:
      return null
  }
}
