import { closeSync, constants, openSync } from 'node:fs'
import process from 'node:process'
import xterm from '@xterm/headless'
import { type IPty, spawn } from 'node-pty'
import { until } from './milestone.ts'

/**
 * A person at a terminal, for tests: runs a program in a real PTY, shows its output on an emulated screen that answers
 * queries as a terminal does, and types.
 */
export type PtyClient = AsyncDisposable & {
  readonly pid: number
  type(input: string | Uint8Array): void
  resize(cols: number, rows: number): void
  /** Waits until the text of the screen and its history matches. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray>
  /** The visible lines, without trailing blanks. */
  screen(): string[]
  /** History and screen as one text; a line the terminal wrapped is one line. */
  text(): string
  /** Everything the program has written, as bytes. */
  output(): Buffer
  cursor(): { row: number; col: number }
  isAlternateScreen(): boolean
  /** Settles when the program has ended and its last byte is on the screen. */
  readonly ended: Promise<Ended>
  /** Ends the program, if it has not ended, and waits until it is gone. */
  close(): Promise<void>
}

type Ended = { readonly code: number; readonly signal: number }

export type PtyOptions = {
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly cols?: number
  readonly rows?: number
}

type Emulator = InstanceType<typeof xterm.Terminal>

const SCROLLBACK_LINES = 100_000 // a test compares whole histories
const HANGUP_MS = 2_000 // then the program is killed

export function openPty(file: string, options: PtyOptions = {}): PtyClient {
  const { cols = 80, rows = 24 } = options
  const emulator = new xterm.Terminal({ cols, rows, scrollback: SCROLLBACK_LINES, allowProposedApi: true })
  const pty = spawn(file, [...(options.args ?? [])], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: { ...(options.env ?? process.env) },
    encoding: null,
  })
  const output: Buffer[] = []
  // With no encoding the library hands over bytes, although its types promise text.
  pty.onData((data: string | Buffer) => {
    const bytes = Buffer.from(data as Buffer)
    output.push(bytes)
    emulator.write(bytes)
  })
  const ended = waitForEnd(pty, emulator)
  emulator.onData((answer) => pty.write(answer))
  const close = () => endPty(pty, ended)
  return {
    pid: pty.pid,
    type: (input) => pty.write(typeof input === 'string' ? input : Buffer.from(input)),
    resize: (newCols, newRows) => {
      emulator.resize(newCols, newRows)
      pty.resize(newCols, newRows)
    },
    waitFor: (pattern, timeoutMs) => waitFor(emulator, pattern, timeoutMs),
    screen: () => visibleLines(emulator),
    text: () => wholeText(emulator),
    output: () => Buffer.concat(output),
    cursor: () => ({ row: emulator.buffer.active.cursorY, col: emulator.buffer.active.cursorX }),
    isAlternateScreen: () => emulator.buffer.active.type === 'alternate',
    ended,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The library drops what is still queued when the last holder of the slave side goes; so it is held here until the end. */
function waitForEnd(pty: IPty, emulator: Emulator): Promise<Ended> {
  const { ptsName } = pty as IPty & { ptsName: string }
  const slave = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY)
  return new Promise<Ended>((settle) => {
    pty.onExit(({ exitCode, signal }) => {
      closeSync(slave)
      emulator.write('', () => settle({ code: exitCode, signal: signal ?? 0 }))
    })
  })
}

function waitFor(emulator: Emulator, pattern: RegExp, timeoutMs = 10_000): Promise<RegExpMatchArray> {
  const look = () => wholeText(emulator).match(pattern)
  return until(look, { what: `${pattern} on the screen`, timeoutMs }).catch((cause: Error) => {
    throw new Error(`${cause.message}, which shows:\n${visibleLines(emulator).join('\n')}`, { cause })
  })
}

function visibleLines(emulator: Emulator): string[] {
  const { baseY, getLine } = bufferOf(emulator)
  return Array.from({ length: emulator.rows }, (_, row) => getLine(baseY + row)?.translateToString(true) ?? '')
}

function wholeText(emulator: Emulator): string {
  const { length, getLine } = bufferOf(emulator)
  const parts: string[] = []
  for (let row = 0; row < length; row += 1) {
    const line = getLine(row)
    const continues = getLine(row + 1)?.isWrapped === true
    if (row > 0 && line?.isWrapped !== true) parts.push('\n')
    parts.push(line?.translateToString(!continues) ?? '')
  }
  return parts.join('').trimEnd()
}

function bufferOf(emulator: Emulator) {
  const buffer = emulator.buffer.active
  return { baseY: buffer.baseY, length: buffer.length, getLine: (row: number) => buffer.getLine(row) }
}

async function endPty(pty: IPty, ended: Promise<Ended>): Promise<void> {
  const send = (signal: string) => {
    try {
      pty.kill(signal)
    } catch {
      // it has ended
    }
  }
  send('SIGHUP')
  const timer = setTimeout(send, HANGUP_MS, 'SIGKILL')
  await ended
  clearTimeout(timer)
}
