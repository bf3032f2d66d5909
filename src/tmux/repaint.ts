/**
 * A pane as tmux remembers it, as bytes that draw it on an empty terminal of its size: its history, its screen, the screen
 * below a full-screen program, cursor and modes. What tmux does not tell (bracketed paste, the pen, half a sequence) is not in it.
 */
import { constants, hostname } from 'node:os'
import type { ExitStatus, Size } from '../wire/holder.ts'

/** In this order they are asked for, between tabs. */
const FACTS = [
  'pane_id',
  'window_id',
  'pane_pid',
  'pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'origin_flag',
  'wrap_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'mouse_standard_flag',
  'mouse_button_flag',
  'mouse_all_flag',
  'mouse_sgr_flag',
  'mouse_utf8_flag',
  'bracket_paste_flag',
  'history_size',
  'pane_title',
] as const

type Fact = (typeof FACTS)[number]
export type PaneFacts = Readonly<Record<Fact, string>>

/** A word of a command. */
export const FACTS_FORMAT = `"${FACTS.map((fact) => `#{${fact}}`).join('\\t')}"`

export function factsIn(line: string): PaneFacts {
  const values = line.split('\t')
  return Object.fromEntries(FACTS.map((fact, index) => [fact, values[index] ?? ''])) as PaneFacts
}

export type Captured = {
  readonly facts: PaneFacts
  /** Of a full-screen program: what it draws. Otherwise history and screen in one, for a line may lie across both. */
  readonly shown: readonly string[]
  /** What is above and below a full-screen program; empty otherwise. */
  readonly history: readonly string[]
  readonly below: readonly string[]
}

/** The commands whose answers are `Captured`, in its order; carried out at one go. */
export const captureCommands = (pane: string): readonly string[] => [
  `display-message -p -t ${pane} ${FACTS_FORMAT}`,
  `capture-pane -p -e -J -S - -t ${pane}`,
]
export const alternateCommands = (pane: string): readonly string[] => [
  `display-message -p -t ${pane} ${FACTS_FORMAT}`,
  `capture-pane -p -e -t ${pane}`,
  `capture-pane -p -e -J -S - -E -1 -t ${pane}`,
  `capture-pane -p -e -q -a -t ${pane}`,
]

/** Everything that a program before may have left behind, as far as it could disturb; then an empty screen without history. */
const EMPTY =
  '\x18\x1b[!p\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?2004l\x1b[r\x1b[m\x1b(B\x0f\x1b[H\x1b[2J\x1b[3J'
/** Line drawing comes between shift out and shift in. */
const LINE_DRAWING = '\x1b)0'
const PLAIN = '\x0f\x1b)B\x1b[m'

export function repaint({ facts, shown, history, below }: Captured): Uint8Array {
  const isFull = facts.alternate_on === '1'
  const parts = isFull
    ? [linesAt(history, below), place(facts.alternate_saved_x, facts.alternate_saved_y), '\x1b[?1049h\x1b[H\x1b[2J', lines(shown)]
    : [lines(shown)]
  return Buffer.from([EMPTY, LINE_DRAWING, ...parts, PLAIN, modes(facts), title(facts.pane_title)].join(''))
}

const linesAt = (history: readonly string[], below: readonly string[]): string =>
  history.length === 0 ? lines(below) : `${lines(history)}\x1b[m\r\n${lines(below)}`

const SGR = /\x1b\[([0-9;:]*)m/g

/** A colour that is on when a line ends would fill the next one: it is put off, and on again. */
function lines(captured: readonly string[]): string {
  let pen = ''
  return captured
    .map((line) => {
      const before = pen
      for (const [sequence, numbers] of line.matchAll(SGR))
        pen = numbers === '' || /^0(;|$)/.test(numbers ?? '') ? sequence : pen + sequence
      if (pen === '\x1b[0m' || pen === '\x1b[m') pen = ''
      return before + line + (pen === '' ? '' : '\x1b[m')
    })
    .join('\r\n')
}

const place = (x: string, y: string): string => `\x1b[${count(y) + 1};${count(x) + 1}H`

const count = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : 0)

function modes(facts: PaneFacts): string {
  const upper = count(facts.scroll_region_upper)
  const lower = count(facts.scroll_region_lower)
  const isWhole = upper === 0 && lower + 1 === count(facts.pane_height)
  const on = (fact: Fact, sequence: string): string => (facts[fact] === '1' ? sequence : '')
  return [
    isWhole ? '' : `\x1b[${upper + 1};${lower + 1}r`,
    place(facts.cursor_x, facts.cursor_y),
    on('origin_flag', '\x1b[?6h'),
    facts.wrap_flag === '0' ? '\x1b[?7l' : '',
    on('insert_flag', '\x1b[4h'),
    on('keypad_cursor_flag', '\x1b[?1h'),
    on('keypad_flag', '\x1b='),
    on('mouse_standard_flag', '\x1b[?1000h'),
    on('mouse_button_flag', '\x1b[?1002h'),
    on('mouse_all_flag', '\x1b[?1003h'),
    on('mouse_utf8_flag', '\x1b[?1005h'),
    on('mouse_sgr_flag', '\x1b[?1006h'),
    on('bracket_paste_flag', '\x1b[?2004h'),
    facts.cursor_flag === '0' ? '\x1b[?25l' : '',
  ].join('')
}

/** tmux calls a pane after the machine until its program calls it something. */
const title = (text: string): string =>
  text === '' || text === hostname()
    ? ''
    : `\x1b]2;${[...text].filter((character) => character >= ' ' && character !== '\x7f').join('')}\x07`

export const sizeIn = ({ pane_width, pane_height }: PaneFacts): Size => ({ cols: Number(pane_width), rows: Number(pane_height) })

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [String(number), name]))

/** tmux names a signal by its number, later versions by its name without SIG. */
export function statusIn({ pane_dead_status: code, pane_dead_signal: signal }: PaneFacts): ExitStatus {
  if (signal === '' || signal === '0') return { code: Number(code) || 0 }
  return { signal: SIGNAL_NAMES.get(signal) ?? (signal.startsWith('SIG') ? signal : `SIG${signal.toUpperCase()}`) }
}
