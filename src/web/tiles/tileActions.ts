/** What can be done with the terminal that has the keyboard, as a drawing. */
import type { Action } from '../actions.ts'
import { copyText } from './copyText.ts'

export const TILE_ACTIONS: readonly Action[] = [
  {
    id: 'terminal.copy',
    title: 'Copy what is selected',
    group: 'Terminal',
    keys: 'Ctrl+Shift+C',
    isPossible: ({ tiles }) => (tiles.focused?.selection ?? '') !== '',
    run: ({ tiles }) => void copyText(tiles.focused?.selection ?? ''),
  },
  {
    id: 'terminal.find',
    title: 'Find in the terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+F',
    isPossible: ({ tiles }) => tiles.focused !== null,
    run: ({ tiles }) => tiles.focused?.findSelected(),
  },
  {
    id: 'terminal.insertFiles',
    title: 'Insert a file…',
    group: 'Terminal',
    keys: null,
    isPossible: ({ page }) => page.focused?.state === 'live',
    run: ({ tiles }) => void tiles.insertFiles(),
  },
  {
    id: 'page.largerText',
    title: 'Larger text in terminals, on this device',
    group: 'Page',
    keys: 'Ctrl+Alt+=',
    run: ({ tiles }) => tiles.changeFont(1),
  },
  {
    id: 'page.smallerText',
    title: 'Smaller text in terminals, on this device',
    group: 'Page',
    keys: 'Ctrl+Alt+-',
    run: ({ tiles }) => tiles.changeFont(-1),
  },
  {
    id: 'page.usualText',
    title: 'Text in terminals as the settings say',
    group: 'Page',
    keys: 'Ctrl+Alt+0',
    run: ({ tiles }) => tiles.resetFont(),
  },
]
