/** Shortcuts as people write them, such as `Mod+Shift+K`, where `Mod` is ⌘ on a Mac and Ctrl elsewhere. Pure. */
import type { Pressed } from './keys.ts'

export type Platform = { readonly isMac: boolean }

export const PLATFORM: Platform = { isMac: /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') }

const MODIFIERS = ['Ctrl', 'Alt', 'Shift', 'Meta'] as const

/** Modifiers in one order, then the key: two ways to write a shortcut are the same text. Null for what is none. */
export function normalShortcut(text: string, { isMac }: Platform): string | null {
  const { modifiers, key } = partsOf(text)
  if (key === '') return null
  const given = modifiers.map((part) => (part === 'Mod' ? (isMac ? 'Meta' : 'Ctrl') : part === 'Cmd' ? 'Meta' : part))
  if (!given.every((part) => MODIFIERS.some((modifier) => modifier === part))) return null
  return [...MODIFIERS.filter((modifier) => given.includes(modifier)), keyName(key)].join('+')
}

/** The key may itself be the sign that stands between the parts. */
function partsOf(text: string): { readonly modifiers: readonly string[]; readonly key: string } {
  const isPlus = text.endsWith('++') || text === '+'
  const parts = (isPlus ? text.slice(0, -1) : text).split('+').map((part) => part.trim())
  const key = isPlus ? '+' : (parts.at(-1) ?? '')
  return { modifiers: parts.slice(0, -1).map(capitalised), key }
}

/** Whether it can be a shortcut at all: letters alone are for typing. */
export const isUsable = (shortcut: string): boolean => /^(Ctrl|Alt|Meta)\+/.test(shortcut) || /^(Shift\+)?F\d{1,2}$/.test(shortcut)

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
  const { modifiers, key } = partsOf(normalShortcut(shortcut, { isMac }) ?? shortcut)
  return [...modifiers, key].map((part) => signs[part] ?? part).join(isMac ? '' : ' ')
}

const ARROWS = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' } as const
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()
const keyName = (key: string): string => (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key)
