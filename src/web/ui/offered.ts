/** The items of a menu that this browser may choose. Pure. */
import type { CommandName } from '../../wire/commands/commands.ts'
import type { MenuItem } from './Menu.tsx'

export function offered(items: readonly MenuItem[], may: (command: CommandName) => boolean): readonly MenuItem[] {
  const allowed = items.filter((item) => item === 'separator' || item.asks === null || may(item.asks))
  return allowed.filter((item, index) => item !== 'separator' || isBetween(allowed, index))
}

/** A line stands between two items, and there is one line at most. */
function isBetween(items: readonly MenuItem[], index: number): boolean {
  const before = items[index - 1]
  return before !== undefined && before !== 'separator' && items.slice(index).some((item) => item !== 'separator')
}
