/** A text on the user's own terminal that is drawn again when it changes, until the user has seen enough. */
import type { Host } from '../host.ts'
import { BEGIN, END, frameOf } from './frame.ts'

/** Ages are in seconds. */
const TICK_MS = 1_000
/** Faster changes than this are not read by anybody. */
const DRAW_EVERY_MS = 50
/** What ends it: Ctrl-C, Ctrl-D and q. */
const ENOUGH = ['\x03', '\x04', 'q']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Watching = {
  text(): Promise<string>
  /** Called with what is to be called at every change; returns how to stop listening. */
  onChange(changed: () => void): () => void
  /** Settles when there is nothing to watch any more. */
  readonly over: Promise<void>
}

export async function watchScreen({ stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>, { text, onChange, over }: Watching): Promise<void> {
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
  await Promise.race([over, keys.enough, signalled()])
  isOver = true
  for (const end of [leave, keys.end, () => clearInterval(tick), () => stdout.off('resize', redraw)]) end()
  process.off('exit', restore)
  restore()
}

/** What comes while it draws, or right after, is drawn once. */
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

function keysOf(stdin: Host['stdin']): { readonly enough: Promise<void>; end(): void } {
  if (stdin.isTTY !== true) return { enough: new Promise(() => undefined), end: () => undefined }
  stdin.setRawMode(true)
  let heard: (bytes: Buffer) => void = () => undefined
  const enough = new Promise<void>((resolve) => {
    heard = (bytes) => ENOUGH.includes(bytes.toString('latin1')) && resolve()
    stdin.on('data', heard)
  })
  return {
    enough,
    end: () => {
      stdin.off('data', heard)
      stdin.pause()
    },
  }
}

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
