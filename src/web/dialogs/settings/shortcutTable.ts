/** The shortcuts as they can be changed: which action has which keys, and what is in the way of others. Pure. */
import { type Action, keysOf } from '../../actions/action.ts'
import { ACTIONS, shortcutsOf } from '../../actions/actions.ts'
import { isUsable, normalShortcut, type Platform } from '../../state/shortcuts.ts'

export type Keys = Readonly<Record<string, string>>

export type ShortcutRow = {
  readonly action: Action
  /** Null: it has none. */
  readonly keys: string | null
  /** Whether that is another one than usual. */
  readonly isChanged: boolean
  /** The action that has its keys in its place. */
  readonly takenBy: Action | null
}

export function shortcutRows(chosen: Keys, platform: Platform, search: string): readonly ShortcutRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const owners = shortcutsOf(chosen, platform)
  return ACTIONS.filter(({ title, group, id }) => words.every((word) => `${title} ${group} ${id}`.toLowerCase().includes(word))).map(
    (action) => {
      const keys = keysOf(action, chosen)
      const owner = owners.get(normalOf(keys, platform)) ?? null
      return { action, keys, isChanged: action.id in chosen, takenBy: owner === null || owner.id === action.id ? null : owner }
    },
  )
}

const normalOf = (keys: string | null, platform: Platform): string => (keys === null ? '' : (normalShortcut(keys, platform) ?? ''))

export type Judged =
  | { readonly kind: 'free' }
  | { readonly kind: 'taken'; readonly by: Action }
  | { readonly kind: 'unusable'; readonly why: string }

/** What stands in the way of giving an action these keys. */
export function judge(keys: string, action: Action, { chosen, platform }: { readonly chosen: Keys; readonly platform: Platform }): Judged {
  if (!isUsable(keys)) return { kind: 'unusable', why: 'Letters alone are for typing. Add Ctrl, Alt or ⌘, or use a function key.' }
  const owner = shortcutsOf(chosen, platform).get(keys)
  return owner === undefined || owner.id === action.id ? { kind: 'free' } : { kind: 'taken', by: owner }
}

/** The table with these keys for an action; empty ones switch its shortcut off. What is as usual is left out. */
export function withKeys(chosen: Keys, { action, keys, platform }: Change): Keys {
  const { [action.id]: _, ...others } = chosen
  return normalOf(keys || null, platform) === normalOf(action.keys, platform) ? others : { ...others, [action.id]: keys }
}

type Change = { readonly action: Action; readonly keys: string; readonly platform: Platform }

/** As `withKeys`, and removes the keys from the action that had them. */
export function takingKeys(chosen: Keys, change: Change): Keys {
  const owner = shortcutsOf(chosen, change.platform).get(normalOf(change.keys, change.platform))
  const freed = owner === undefined || owner.id === change.action.id ? chosen : withKeys(chosen, { ...change, action: owner, keys: '' })
  return withKeys(freed, change)
}

export function withoutChange(chosen: Keys, action: Action): Keys {
  const { [action.id]: _, ...others } = chosen
  return others
}
