/** How the user wants the page to be: [page] of config.toml, as the daemon tells it to every page. Told whole, never as a patch. */
import { z } from 'zod'
import { CLIPBOARD_POLICIES, PAGE_THEMES } from './configPage.ts'

export const pageSettingsSchema = z.object({
  theme: z.enum(PAGE_THEMES),
  /** The name of a colour scheme; one that the page does not know, of a newer daemon, is as good as none. */
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
