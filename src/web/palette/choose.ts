/** What an entry of the palette does. */
import { assertNever } from '../../base/assertNever.ts'
import { actionOf } from '../actions/actions.ts'
import { findInTile } from '../actions/tileTools.ts'
import type { Parts } from '../hooks/parts.ts'
import { decodeTexts, Remembered } from '../state/remembered.ts'
import type { Choice } from './entries.ts'
import { touched } from './ranking.ts'

export function choose(choice: Choice, parts: Parts): void {
  const { page, tiles } = parts
  switch (choice.kind) {
    case 'terminal':
      page.focus(choice.id)
      return tiles.focus()
    case 'action':
      return actionOf(choice.id)?.run(parts)
    case 'workspace':
      page.showWorkspace(choice.id)
      return tiles.focus()
    case 'line':
      page.focus(choice.terminal)
      return findInTile(tiles, choice.terminal, choice.text)
    case 'theme':
      return void page.command('terminal.theme', { terminal: choice.terminal, theme: choice.theme })
    case 'move':
      return void page.command('terminal.move', { terminal: choice.terminal, to: choice.workspace })
    case 'afterCrash':
      return void page.command('restore.set', { terminal: choice.terminal, onRestore: choice.onRestore })
    case 'reopen':
      return void page.reopen(choice.id).then(() => tiles.focus())
    case 'checkpoint':
      return page.open({ kind: 'travel', checkpoint: choice.id })
    default:
      return assertNever(choice)
  }
}

export const RECENTS = new Remembered<readonly string[]>({ key: 'recents', usual: [], decode: decodeTexts })

export const remember = (id: string): void => {
  if (RECENTS.value[0] !== id) RECENTS.set(touched(RECENTS.value, id))
}
