/** A text on the user's terminal that is redrawn when it changes, until the user quits. */
import type { Cli } from '../core/verb.ts'

const HOME = '\x1b[H'
const REST_OF_LINE = '\x1b[K'
const REST_OF_SCREEN = '\x1b[J'

/** On the alternate screen, so that the user's screen comes back; no wrapping, no flickering cursor. */
const BEGIN = '\x1b[?1049h\x1b[?7l\x1b[?25l'
const END = '\x1b[?25h\x1b[?7h\x1b[?1049l'

/** As many lines as fit, drawn over the frame before. */
export function frameOf(lines: readonly string[], rows: number): string {
  const room = Math.max(1, rows)
  const hidden = lines.length - room + 1
  const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${hidden} more`]
  return `${HOME}${shown.map((line) => line + REST_OF_LINE).join('\r\n')}${REST_OF_SCREEN}`
}

/** Ages are in seconds. */
const TICK_MS = 1_000
/** Faster changes cannot be read. */
const DRAW_EVERY_MS = 50
/** Ctrl-C, Ctrl-D and q. */
const QUIT_KEYS = ['\x03', '\x04', 'q']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Watching = {
  text(): Promise<string>
  /** Subscribes to changes; returns the function that unsubscribes. */
  onChange(changed: () => void): () => void
  /** Resolves when there is nothing left to watch. */
  readonly over: Promise<void>
}

export async function watchScreen({ stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>, { text, onChange, over }: Watching): Promise<void> {
  let last = ''
  let isOver = false
  const draw = async (): Promise<void> => {
    const frame = frameOf((await text()).split('\n'), stdout.rows)
    if (isOver || frame === last) return
    stdout.write(frame)
    last = frame
  }
  const again = paced(draw)
  const redraw = (): void => {
    last = ''
    again()
  }
  const restore = (): void => {
    stdout.write(END)
    if (stdin.isTTY === true) stdin.setRawMode(false)
  }
  const keys = keysOf(stdin)
  const tick = setInterval(again, TICK_MS)
  process.once('exit', restore)
  stdout.write(BEGIN)
  stdout.on('resize', redraw)
  const leave = onChange(again)
  again()
  await Promise.race([over, keys.quit, signalled()])
  isOver = true
  for (const end of [leave, keys.end, () => clearInterval(tick), () => stdout.off('resize', redraw)]) end()
  process.off('exit', restore)
  restore()
}

/** Coalesces calls that come while it draws, or right after. */
function paced(draw: () => Promise<void>): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      void draw()
    }, DRAW_EVERY_MS)
  }
}

function keysOf(stdin: Cli['stdin']): { readonly quit: Promise<void>; end(): void } {
  if (stdin.isTTY !== true) return { quit: new Promise(() => undefined), end: () => undefined }
  stdin.setRawMode(true)
  let onData: (bytes: Buffer) => void = () => undefined
  const quit = new Promise<void>((resolve) => {
    onData = (bytes) => QUIT_KEYS.includes(bytes.toString('latin1')) && resolve()
    stdin.on('data', onData)
  })
  return {
    quit,
    end: () => {
      stdin.off('data', onData)
      stdin.pause()
    },
  }
}

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
