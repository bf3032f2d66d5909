/** Makes the page light or dark. Its colours follow by themselves: each is given for both. */
import type { PageSettings } from '../wire/pageSettings.ts'

export function showTheme(theme: PageSettings['theme']): void {
  const scheme = theme === 'system' ? 'dark light' : theme
  const { style } = document.documentElement
  if (style.colorScheme !== scheme) style.colorScheme = scheme
}
