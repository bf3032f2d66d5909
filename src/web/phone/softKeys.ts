/** The keys that a phone's keyboard lacks, in the order in which they stand. */
export type SoftKey = {
  readonly label: string
  readonly name: string
  readonly bytes: string
  /** Where programs want cursor keys in their other form. */
  readonly application?: string
  /** As long as it is held down, it is typed again and again. */
  readonly repeats?: boolean
}

const cursor = (label: string, name: string, letter: string): SoftKey => ({
  label,
  name,
  bytes: `\x1b[${letter}`,
  application: `\x1bO${letter}`,
  repeats: true,
})

export const BEFORE_MODIFIERS: readonly SoftKey[] = [
  { label: 'esc', name: 'Esc', bytes: '\x1b' },
  { label: 'tab', name: 'Tab', bytes: '\t' },
]

export const AFTER_MODIFIERS: readonly SoftKey[] = [
  cursor('←', 'Left', 'D'),
  cursor('↑', 'Up', 'A'),
  cursor('↓', 'Down', 'B'),
  cursor('→', 'Right', 'C'),
  { label: '^C', name: 'Control C', bytes: '\x03' },
  { label: '|', name: 'Bar', bytes: '|' },
  { label: '/', name: 'Slash', bytes: '/' },
  { label: '~', name: 'Tilde', bytes: '~' },
  { label: '-', name: 'Dash', bytes: '-' },
  cursor('home', 'Home', 'H'),
  cursor('end', 'End', 'F'),
  { label: 'pgup', name: 'Page up', bytes: '\x1b[5~', repeats: true },
  { label: 'pgdn', name: 'Page down', bytes: '\x1b[6~', repeats: true },
]
