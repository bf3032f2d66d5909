/** A screen whose output waits for its turn. Whatever else is done to it comes after what was output before. */
import type { Lane } from './pace.ts'
import type { Screen } from './viewer.ts'

export function pacedScreen(screen: Screen, lane: Lane): Screen {
  const inOrder =
    <Args extends readonly unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): void => {
      lane.flush()
      act(...args)
    }
  return {
    output: (output) => lane.push(output),
    write: inOrder((...args: Parameters<Screen['write']>) => screen.write(...args)),
    resize: inOrder((...args: Parameters<Screen['resize']>) => screen.resize(...args)),
    clear: inOrder(() => screen.clear()),
    replace: inOrder((...args: Parameters<Screen['replace']>) => screen.replace(...args)),
    holdRows: inOrder((...args: Parameters<Screen['holdRows']>) => screen.holdRows(...args)),
    measure: () => screen.measure(),
    scale: () => screen.scale(),
    get view() {
      return screen.view
    },
  }
}
