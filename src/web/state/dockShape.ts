/** How wide the dock is in this browser, and whether it is there at all. */
import { decodeFlag, decodeNumber, Remembered } from './remembered.ts'

export const DOCK_WIDTH = { min: 180, usual: 272, max: 520 } as const // px

export const DOCK_COLLAPSED = new Remembered({ key: 'dock.collapsed', usual: false, decode: decodeFlag })
/** Whether the dock leaves out terminals that sleep. */
export const ASLEEP_HIDDEN = new Remembered({ key: 'dock.asleepHidden', usual: false, decode: decodeFlag })
export const DOCK_PIXELS = new Remembered<number>({
  key: 'dock.width',
  usual: DOCK_WIDTH.usual,
  decode: decodeNumber(DOCK_WIDTH.min, DOCK_WIDTH.max),
})

export const boundWidth = (pixels: number): number => Math.round(Math.min(DOCK_WIDTH.max, Math.max(DOCK_WIDTH.min, pixels)))
