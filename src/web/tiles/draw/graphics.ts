/** Drawing by the graphics card. The only file that knows its library. */
import { WebglAddon } from '@xterm/addon-webgl'

type Target = Parameters<WebglAddon['activate']>[0]

let isPossible: boolean | null = null

/** Not where the browser only pretends to have a graphics card: what it draws with instead is slower than the page itself. */
export function hasGraphics(): boolean {
  isPossible ??= probe()
  return isPossible
}

const PRETENDED = /swiftshader|llvmpipe|softpipe|software|basic render/i

function probe(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (context === null) return false
  const names = context.getExtension('WEBGL_debug_renderer_info')
  const name = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return !PRETENDED.test(name)
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
