import { WebLinksAddon } from '@xterm/addon-web-links'

/**
 * The library takes for granted that its elements are as large on the screen as they say. Where the page draws them smaller
 * or larger (a canvas that is zoomed, a screen that is shown whole in a small place) a click would hit another cell: here
 * every point is brought back to where it would be without.
 */
type Point = { readonly clientX: number; readonly clientY: number }
type Coordinates<Rest extends readonly unknown[]> = (point: Point, element: HTMLElement, ...rest: Rest) => unknown
type Core = {
  readonly screenElement?: HTMLElement
  readonly textarea?: HTMLTextAreaElement
  readonly _mouseService?: { getCoords: Coordinates<readonly unknown[]>; getMouseReportCoords: Coordinates<readonly unknown[]> }
  readonly _selectionService?: { _getMouseEventScrollAmount: (point: Point) => number }
}

/** After the terminal is in its host. */
export function scalePointer(terminal: object, host: HTMLElement, signal: AbortSignal): void {
  const core = Reflect.get(terminal, '_core') as Core
  const { screenElement: screen, textarea, _mouseService: mouse, _selectionService: selection } = core
  if (screen === undefined || textarea === undefined || mouse === undefined || selection === undefined)
    throw new Error('the terminal engine has no mouse service: its version is not the pinned one')
  const [getCoords, getReport] = [mouse.getCoords.bind(mouse), mouse.getMouseReportCoords.bind(mouse)]
  mouse.getCoords = (point, element, ...rest) => getCoords(unscaled(point, element), element, ...rest)
  mouse.getMouseReportCoords = (point, element, ...rest) => getReport(unscaled(point, element), element, ...rest)
  const scrollAmount = selection._getMouseEventScrollAmount.bind(selection)
  selection._getMouseEventScrollAmount = (point) => scrollAmount(unscaled(point, screen))
  // The browser's own menu offers to paste where the library has put its field, under the pointer.
  const follow = (event: MouseEvent): void => {
    const { clientX, clientY } = unscaled(event, screen)
    const { left, top } = screen.getBoundingClientRect()
    Object.assign(textarea.style, { left: `${clientX - left - FIELD_PX / 2}px`, top: `${clientY - top - FIELD_PX / 2}px` })
  }
  host.addEventListener('contextmenu', follow, { signal })
}

const FIELD_PX = 20

function unscaled({ clientX, clientY }: Point, element: HTMLElement): Point {
  const { left, top, width, height } = element.getBoundingClientRect()
  const [across, down] = [width / element.offsetWidth, height / element.offsetHeight]
  if (!(across > 0) || !(down > 0)) return { clientX, clientY } // nothing of it is on the page
  return { clientX: left + (clientX - left) / across, clientY: top + (clientY - top) / down }
}

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

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** The other page learns nothing of this one. */
function openElsewhere(target: string): void {
  window.open(target, '_blank', 'noopener,noreferrer')
}
