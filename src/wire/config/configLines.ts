/**
 * Finds the line on which a key stands in a TOML text that has parsed without error. The parser gives values without
 * places, so this walks the text once more, knowing only as much TOML as it takes to tell keys from values.
 */
export type LineOf = (path: readonly string[]) => number

/** A key that is nowhere gets the line of the nearest thing around it. */
export function findLines(text: string): LineOf {
  const lines = new Walk(text).lines()
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(nameOf(path.slice(0, length)))
      if (line !== undefined) return line
    }
    return 1
  }
}

/** Where a header or an assignment stands in the text, with its value from `value` to `to`. */
export type Statement =
  | { readonly kind: 'header'; readonly path: readonly string[]; readonly from: number }
  | {
      readonly kind: 'assignment'
      readonly path: readonly string[]
      /** The path of the header that it stands under. */
      readonly section: readonly string[]
      readonly from: number
      readonly value: number
      readonly to: number
    }
export type Assignment = Extract<Statement, { kind: 'assignment' }>

/** In the order of the text; what stands within the braces of a value is a part of that value. */
export const findStatements = (text: string): readonly Statement[] => new Walk(text).statements()

const nameOf = (path: readonly string[]): string => JSON.stringify(path)

const DEEPEST = 4 // sections are not nested deeper; longer paths belong to nothing of ours

const BLANK = /(?:\s|#[^\n]*)*/y
const SPACES = /[ \t]*/y
const BARE_KEY = /[^\s=.,#[\]{}"']+/y
const REST_OF_LINE = /[^\n]*/y
const SCALAR = /[^,\]}#\n]*/y
/** Long strings first: their quotes begin with the short ones'. */
const STRING = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y

class Walk {
  private readonly text: string
  private readonly found = new Map<string, number>()
  private at = 0
  private line = 1
  private counted = 0

  constructor(text: string) {
    this.text = text
  }

  lines(): ReadonlyMap<string, number> {
    this.statements()
    return this.found
  }

  statements(): readonly Statement[] {
    const found: Statement[] = []
    let section: readonly string[] = []
    for (this.take(BLANK); this.at < this.text.length; this.take(BLANK)) {
      const from = this.at
      if (this.text[from] === '[') {
        section = this.header()
        found.push({ kind: 'header', path: section, from })
      } else {
        const { path, value } = this.assignment(section)
        const to = from + this.text.slice(from, this.at).trimEnd().length
        found.push({ kind: 'assignment', path, section, from, value, to })
      }
      this.take(REST_OF_LINE)
    }
    return found
  }

  private header(): readonly string[] {
    while (this.text[this.at] === '[') this.at += 1
    return this.key([])
  }

  private assignment(section: readonly string[]): { readonly path: readonly string[]; readonly value: number } {
    const path = this.key(section)
    if (this.text[this.at] !== '=') return { path, value: this.at }
    this.at += 1
    this.take(SPACES)
    const value = this.at
    this.value(path)
    return { path, value }
  }

  private key(section: readonly string[]): readonly string[] {
    const path = [...section]
    do {
      this.take(SPACES)
      path.push(unquoted(this.take(STRING) || this.take(BARE_KEY)))
      this.note(path)
      this.take(SPACES)
    } while (this.takeOne('.'))
    return path
  }

  private value(path: readonly string[]): void {
    if (this.takeOne('[')) this.items(']', () => this.value(path))
    else if (this.takeOne('{')) this.items('}', () => this.assignment(path))
    else if (this.take(STRING) === '') this.take(SCALAR)
  }

  private items(end: string, item: () => void): void {
    for (this.take(BLANK); this.at < this.text.length && !this.takeOne(end); this.take(BLANK)) {
      const before = this.at
      if (this.takeOne(',')) continue
      item()
      if (this.at === before) this.at += 1 // not TOML: skip a character, so that the loop ends
    }
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const taken = pattern.exec(this.text)?.[0] ?? ''
    this.at += taken.length
    return taken
  }

  private takeOne(character: string): boolean {
    const taken = this.text[this.at] === character
    if (taken) this.at += 1
    return taken
  }

  private note(path: readonly string[]): void {
    if (path.length > DEEPEST) return
    for (; this.counted < this.at; this.counted += 1) if (this.text[this.counted] === '\n') this.line += 1
    if (!this.found.has(nameOf(path))) this.found.set(nameOf(path), this.line)
  }
}

function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1)
  if (!key.startsWith('"')) return key
  try {
    return String(JSON.parse(key))
  } catch {
    return key.slice(1, -1) // an escape that JSON lacks: such a key is none of ours, and its section's line will do
  }
}
