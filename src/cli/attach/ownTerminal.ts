/**
 * The user's own terminal while it shows somebody else's screen: raw input, and everything put back at the end, whatever
 * the program left behind and however the end comes.
 */
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { isUsableSize } from '../../wire/holder.ts'
import type { Size } from '../../workspace/terminal.ts'

/**
 * Undoes what programs switch on. The window's title stays: what it was before cannot be known.
 * Keyboard modes are kept per screen, so they are dropped on both sides of leaving the alternate one.
 */
const MODES_OFF = [
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2031l\x1b[?2048l', // mouse, focus, theme and size reports
  '\x1b[?2004l\x1b[?1l\x1b>', // bracketed paste, application cursor keys and keypad
  '\x1b[?69l\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[20l\x1b[?5l', // margins, origin, wrapping, insert, newline mode, reverse video
  '\x1b(B\x0f\x1b]8;;\x1b\\\x1b[m\x1b[0 q\x1b[?25h', // character set, hyperlink, colours, cursor's shape and visibility
].join('')
/** Ends an escape sequence that was cut in two, and synchronised output: or nothing of what follows would be seen. */
const BREAK = '\x18\x1b[?2026l'
const RESETS = `${BREAK}\x1b[<99u\x1b[?1049l\x1b[<99u\x1b[>4m${MODES_OFF}` // kitty keyboard, alternate screen, modifyOtherKeys
/** Leaves the alternate screen last: margins put the cursor elsewhere. */
const GIVE_BACK = `${BREAK}${MODES_OFF}\x1b[<99u\x1b[?1049l`
/** The cursor is where it was, and the screen under it too, when the alternate one is left again. No wrapping: rows are placed. */
const BORROW = `${BREAK}\x1b[?1049h\x1b[<99u\x1b[>4m${MODES_OFF}\x1b[?7l\x1b[?25l\x1b[H\x1b[2J`

/** Below everything that was painted: the cursor was where the program had left it. */
const BELOW = '\x1b[999;1H\r\n'
const RESET_COLOURS = '\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\'
/** How a program sets palette, text, background and cursor colours; asking for them has been filtered out before. */
const COLOUR_SETTERS = ['\x1b]4;', '\x1b]10;', '\x1b]11;', '\x1b]12;']

type Input = NodeJS.ReadStream & { readonly fd: number }
type Output = NodeJS.WriteStream & { readonly fd: number }

export class OwnTerminal {
  private readonly input: Input
  private readonly output: Output
  private entered = false
  private coloured = false

  constructor(streams: { readonly input: Input; readonly output: Output }) {
    this.input = streams.input
    this.output = streams.output
  }

  /** Null where nobody looks, or where the window is hidden. */
  get size(): Size | null {
    const size = { cols: this.output.columns, rows: this.output.rows }
    return this.output.isTTY === true && isUsableSize(size) ? size : null
  }

  enter(): void {
    this.entered = true
    this.input.setRawMode(true)
    process.on('exit', this.restore)
    process.on('SIGCONT', this.resume)
  }

  /**
   * Node's raw mode still turns every line feed into a carriage return and a line feed, while full-screen programs use the
   * bare one to go straight down. Only stty can switch that off; leaving raw mode switches it on again.
   */
  passOutputUnchanged(): Promise<void> {
    return new Promise((resolve) => {
      const stty = spawn('stty', ['-opost'], { stdio: [this.input.fd, 'ignore', 'ignore'] })
      stty.on('error', () => resolve()) // without it most programs still look right
      stty.on('exit', () => resolve())
    })
  }

  /** Makes a fresh terminal of it, for a snapshot to be painted on; what the user had on it is in the scrollback then. */
  freshen(): void {
    if (this.output.isTTY !== true) return
    this.output.write(`\x1b[!p${BELOW}${'\n'.repeat(Math.max(0, this.output.rows - 1))}\x1b[H\x1b[2J`)
  }

  /** The same when a program's picture is on it: that one is simply wiped. */
  wipe(): void {
    if (this.output.isTTY === true) this.output.write(`${RESETS}\x1b[!p\x1b[H\x1b[2J`)
  }

  /** Takes the terminal from the program, whose modes are off meanwhile; `wipe` and a snapshot give it back. */
  borrow(): void {
    this.output.write(BORROW)
  }

  /** Where no snapshot can be had: what the program had painted is there again, but its modes are not. */
  giveBack(): void {
    this.output.write(GIVE_BACK)
  }

  draw(text: string): void {
    this.output.write(text)
  }

  show(bytes: Uint8Array, taken?: () => void): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.coloured ||= buffer.includes('\x1b]') && COLOUR_SETTERS.some((setter) => buffer.includes(setter))
    this.output.write(buffer, taken)
  }

  /** Safe to call at any time, any number of times, also while the process is ending. */
  readonly restore = (): void => {
    if (!this.entered) return
    this.entered = false
    process.off('exit', this.restore)
    process.off('SIGCONT', this.resume)
    try {
      if (this.output.isTTY === true) writeSync(this.output.fd, RESETS + (this.coloured ? RESET_COLOURS : '') + BELOW)
      this.input.setRawMode(false)
    } catch {
      // The terminal itself is gone: there is nothing left to restore.
    }
  }

  /** A shell that stopped and continued us has changed the modes for itself. */
  private readonly resume = (): void => {
    if (!this.entered) return
    this.input.setRawMode(false)
    this.input.setRawMode(true)
    void this.passOutputUnchanged()
  }
}
