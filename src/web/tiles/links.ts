/** Addresses in what a program prints: http and https only. They are shown when pointed at, and opened only by Ctrl or ⌘ and a click. */
import { WebLinksAddon } from '@xterm/addon-web-links'

type Target = Parameters<WebLinksAddon['activate']>[0]

/** `onLink` is told what is pointed at, and null when it is not any more. */
export function showLinks(terminal: Target, onLink: (target: string | null) => void): void {
  const hover = (_: MouseEvent, target: string): void => onLink(isWebAddress(target) ? target : null)
  const leave = (): void => onLink(null)
  const activate = (event: MouseEvent, target: string): void => {
    if ((event.ctrlKey || event.metaKey) && isWebAddress(target)) openElsewhere(target)
  }
  terminal.loadAddon(new WebLinksAddon(activate, { hover, leave }))
  // What a program marked as a link may lead elsewhere than its text says: this is told the true target.
  terminal.options.linkHandler = { activate, hover, leave }
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** The other page learns nothing of this one. */
function openElsewhere(target: string): void {
  window.open(target, '_blank', 'noopener,noreferrer')
}
