/**
 * The user's own terminal while it shows another screen: raw input, and a full reset at the end, whatever modes the program
 * left on and however the command ends.
 */
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { isUsableSize } from '../../wire/holder.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'

/**
 * Undoes what programs switch on. The window's title stays: the title before is not known.
 * Keyboard modes belong to a screen, so they are reset before and after leaving the alternate one.
 */
const MODES_OFF = [
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2031l\x1b[?2048l', // mouse, focus, theme and size reports
  '\x1b[?2004l\x1b[?1l\x1b>', // bracketed paste, application cursor keys and keypad
  '\x1b[?69l\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[20l\x1b[?5l', // margins, origin, wrapping, insert, newline mode, reverse video
  '\x1b(B\x0f\x1b]8;;\x1b\\\x1b[m\x1b[0 q\x1b[?25h', // character set, hyperlink, colors, cursor shape and visibility
].join('')
/** Ends an incomplete escape sequence and synchronized output, which would hide everything after it. */
const BREAK = '\x18\x1b[?2026l'
const RESETS = `${BREAK}\x1b[<99u\x1b[?1049l\x1b[<99u\x1b[>4m${MODES_OFF}` // kitty keyboard, alternate screen, modifyOtherKeys
/** Leaves the alternate screen last: resetting margins moves the cursor. */
const GIVE_BACK = `${BREAK}${MODES_OFF}\x1b[<99u\x1b[?1049l`
/** The terminal restores screen and cursor when the alternate screen is left. No wrapping: rows are positioned. */
const BORROW = `${BREAK}\x1b[?1049h\x1b[<99u\x1b[>4m${MODES_OFF}\x1b[?7l\x1b[?25l\x1b[H\x1b[2J`

/** Moves below everything that was painted: the cursor is where the program left it. */
const BELOW = '\x1b[999;1H\r\n'
const RESET_COLOURS = '\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\'
/** How a program sets palette, text, background and cursor colors; queries have been filtered out before. */
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

  /** Null without a terminal, or if the window is hidden. */
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
   * bare one to move straight down. Only stty can switch that off; leaving raw mode switches it on again.
   */
  passOutputUnchanged(): Promise<void> {
    return new Promise((resolve) => {
      const stty = spawn('stty', ['-opost'], { stdio: [this.input.fd, 'ignore', 'ignore'] })
      stty.on('error', () => resolve()) // most programs look right without it
      stty.on('exit', () => resolve())
    })
  }

  /** Resets the terminal for a snapshot; what was on it moves into the scrollback. */
  freshen(): void {
    if (this.output.isTTY !== true) return
    this.output.write(`\x1b[!p${BELOW}${'\n'.repeat(Math.max(0, this.output.rows - 1))}\x1b[H\x1b[2J`)
  }

  /** Resets the terminal for a snapshot, and erases what is on it. */
  wipe(): void {
    if (this.output.isTTY === true) this.output.write(`${RESETS}\x1b[!p\x1b[H\x1b[2J`)
  }

  /** For scroll mode: switches to the alternate screen, with the program's modes off. `wipe` and a snapshot undo it. */
  borrow(): void {
    this.output.write(BORROW)
  }

  /** Undoes `borrow` without a snapshot: the program's screen is back, its modes are not. */
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
      // The terminal itself is gone.
    }
  }

  /** A shell that stopped and continued this process has changed the modes. */
  private readonly resume = (): void => {
    if (!this.entered) return
    this.input.setRawMode(false)
    this.input.setRawMode(true)
    void this.passOutputUnchanged()
  }
}
