/**
 * What a tmux client in control mode prints, line by line, without a process: output of panes, notices, and the answers to
 * commands between `%begin` and `%end`. Output is bytes, of which tmux writes the unprintable ones as three octal digits.
 */
export type ControlEvent =
  | { readonly kind: 'output'; readonly pane: string; readonly bytes: Uint8Array }
  | { readonly kind: 'answer'; readonly ok: boolean; readonly lines: readonly string[] }
  | { readonly kind: 'notice'; readonly name: string; readonly rest: string }

const NEWLINE = 0x0a
const BACKSLASH = 0x5c
const SPACE = 0x20
const ZERO = 0x30
const OUTPUT = Buffer.from('%output ')
/** Commands of ours have this flag; what hooks run has none, and answers no command. */
const OURS = '1'

type Block = { readonly guard: string; readonly isOurs: boolean; readonly lines: string[] }

export class ControlLines {
  private rest: Buffer = Buffer.alloc(0)
  private block: Block | null = null

  push(chunk: Uint8Array): ControlEvent[] {
    const bytes = this.rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.rest, chunk])
    const events: ControlEvent[] = []
    let at = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      const event = this.take(bytes.subarray(at, end))
      if (event !== null) events.push(event)
      at = end + 1
    }
    this.rest = bytes.subarray(at)
    return events
  }

  private take(line: Buffer): ControlEvent | null {
    if (this.block !== null) return this.takeInBlock(this.block, line.toString())
    if (line.subarray(0, OUTPUT.length).equals(OUTPUT)) return outputOf(line)
    const [, name = '', rest = ''] = /^%(\S+) ?(.*)$/s.exec(line.toString()) ?? []
    if (name !== 'begin') return name === '' ? null : { kind: 'notice', name, rest }
    this.block = { guard: rest, isOurs: rest.split(' ')[2] === OURS, lines: [] }
    return null
  }

  /** A line of an answer may look like its end; only the one with the same time and number is. */
  private takeInBlock(block: Block, line: string): ControlEvent | null {
    const isEnd = line === `%end ${block.guard}`
    if (!isEnd && line !== `%error ${block.guard}`) {
      block.lines.push(line)
      return null
    }
    this.block = null
    return block.isOurs ? { kind: 'answer', ok: isEnd, lines: block.lines } : null
  }
}

function outputOf(line: Buffer): ControlEvent {
  const end = line.indexOf(SPACE, OUTPUT.length)
  return { kind: 'output', pane: line.toString('latin1', OUTPUT.length, end), bytes: unescaped(line.subarray(end + 1)) }
}

function unescaped(text: Buffer): Uint8Array {
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let byte = text[at] ?? 0
    if (byte === BACKSLASH) {
      byte = (digit(text, at + 1) << 6) | (digit(text, at + 2) << 3) | digit(text, at + 3)
      at += 3
    }
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

const digit = (text: Buffer, at: number): number => (text[at] ?? ZERO) - ZERO
