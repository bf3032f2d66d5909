/** How the user wants the page to be: [page] of config.toml, as the daemon tells it to every page. Told whole, never as a patch. */
import { z } from 'zod'

export const PAGE_THEMES = ['system', 'light', 'dark'] as const
export const CLIPBOARD_POLICIES = ['ask', 'allow', 'never'] as const

export const pageSettingsSchema = z.object({
  theme: z.enum(PAGE_THEMES),
  /** The name of a color theme; an unknown name, from a newer daemon, counts as none. */
  terminalTheme: z.string(),
  /** Empty: the usual ones. */
  fontFamily: z.string(),
  /** In pixels. */
  fontSize: z.int(),
  copyOnSelect: z.boolean(),
  pasteGuard: z.boolean(),
  clipboard: z.enum(CLIPBOARD_POLICIES),
  notifications: z.boolean(),
  /** As in `22:00-07:00`, over midnight too; empty: never. */
  quietHours: z.string(),
  /** From the id of an action to its keys, as in `Ctrl+K`; empty keys switch its shortcut off. */
  keys: z.record(z.string(), z.string()),
})
export type PageSettings = z.infer<typeof pageSettingsSchema>

/** The colour schemes that terminals can have, by name; what they look like only the page knows. */
export const SCHEME_NAMES = [
  'holdfast',
  'holdfast-dark',
  'holdfast-light',
  'high-contrast',
  'solarized-dark',
  'solarized-light',
  'gruvbox-dark',
  'gruvbox-light',
  'nord',
  'dracula',
  'one-dark',
  'one-light',
  'tokyo-night',
  'mocha',
  'latte',
] as const
export type SchemeName = (typeof SCHEME_NAMES)[number]

export const isSchemeName = (name: string): name is SchemeName => SCHEME_NAMES.some((known) => known === name)
