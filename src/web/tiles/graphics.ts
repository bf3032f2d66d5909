/** Drawing by the graphics card. The only file that knows its library. */
import { WebglAddon } from '@xterm/addon-webgl'

type Target = Parameters<WebglAddon['activate']>[0]

let isPossible: boolean | null = null

/** Not where the browser only pretends to have a graphics card: what it draws with instead is slower than the page itself. */
export function hasGraphics(): boolean {
  isPossible ??= probe()
  return isPossible
}

function probe(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** Null where it does not work after all. `onLost` is called when the browser has taken it away again. */
export function drawByGraphics(terminal: Target, onLost: () => void): { dispose(): void } | null {
  try {
    const addon = new WebglAddon()
    addon.onContextLoss(() => {
      addon.dispose()
      onLost()
    })
    terminal.loadAddon(addon)
    return addon
  } catch {
    return null // expected in some browsers: the page draws it, as before
  }
}
