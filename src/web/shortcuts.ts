/** Shortcuts as people write them, such as `Mod+Shift+K`, where `Mod` is ⌘ on a Mac and Ctrl elsewhere. Pure. */
import type { Pressed } from './keys.ts'

export type Platform = { readonly isMac: boolean }

export const PLATFORM: Platform = { isMac: /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') }

const MODIFIERS = ['Ctrl', 'Alt', 'Shift', 'Meta'] as const

/** Modifiers in one order, then the key: two ways to write a shortcut are the same text. Null for what is none. */
export function normalShortcut(text: string, { isMac }: Platform): string | null {
  const parts = text.split('+').map((part) => part.trim())
  const key = parts.pop()
  if (key === undefined || key === '') return null
  const given = parts.map((part) => (part.toLowerCase() === 'mod' ? (isMac ? 'Meta' : 'Ctrl') : capitalised(part)))
  if (!given.every((part) => MODIFIERS.some((modifier) => modifier === part))) return null
  return [...MODIFIERS.filter((modifier) => given.includes(modifier)), keyName(key)].join('+')
}

/** The shortcut that was pressed; null for a modifier alone. */
export function pressedShortcut({ type, key, ctrlKey, shiftKey, altKey, metaKey }: Pressed): string | null {
  if (type !== 'keydown' || ['Control', 'Shift', 'Alt', 'Meta'].includes(key)) return null
  const held = [ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', metaKey && 'Meta'].filter((part) => part !== false)
  return [...held, keyName(key)].join('+')
}

/** For reading: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function shortcutText(shortcut: string, { isMac }: Platform): string {
  const signs: Readonly<Record<string, string>> = isMac
    ? { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘', ...ARROWS }
    : { ...ARROWS, Meta: 'Super' }
  const normal = normalShortcut(shortcut, { isMac }) ?? shortcut
  return normal
    .split('+')
    .map((part) => signs[part] ?? part)
    .join(isMac ? '' : ' ')
}

const ARROWS = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' } as const
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()
const keyName = (key: string): string => (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key)
