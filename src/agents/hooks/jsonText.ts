/** JSON with its places in the text, so that a file of the user's can be changed without writing the rest of it anew. */
export type JsonNode =
  | { readonly kind: 'object'; readonly from: number; readonly to: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly from: number; readonly to: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly from: number; readonly to: number; readonly value: string | number | boolean | null }

/** `from` is where its key begins. */
type JsonMember = { readonly key: string; readonly from: number; readonly value: JsonNode }

/** `why` completes "FILE …". */
export type Parsed = { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly why: string }

class Unreadable extends Error {}

const DEEPEST = 200 // settings are a handful of levels deep

export function parseJson(text: string): Parsed {
  const reader = new Reader(text)
  try {
    return { ok: true, root: reader.whole() }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ok: false, why: error.message }
  }
}

class Reader {
  private at = 0

  constructor(private readonly text: string) {}

  whole(): JsonNode {
    if (this.text.startsWith('\ufeff')) this.at = 1
    const root = this.value(0)
    this.blanks()
    if (this.at < this.text.length) this.fail('goes on after its end')
    return root
  }

  private value(depth: number): JsonNode {
    if (depth > DEEPEST) this.fail('is nested too deeply')
    this.blanks()
    const first = this.text[this.at]
    if (first === '{') return this.object(depth)
    if (first === '[') return this.array(depth)
    return this.scalar()
  }

  private object(depth: number): JsonNode {
    const from = this.at++
    const members: JsonMember[] = []
    this.list('}', () => {
      const key = this.scalar()
      if (key.kind !== 'scalar' || typeof key.value !== 'string') return this.fail('has a key that is not in quotes')
      this.blanks()
      if (this.text[this.at] !== ':') this.fail('lacks a colon')
      this.at += 1
      members.push({ key: key.value, from: key.from, value: this.value(depth + 1) })
    })
    return { kind: 'object', from, to: this.at, members }
  }

  private array(depth: number): JsonNode {
    const from = this.at++
    const items: JsonNode[] = []
    this.list(']', () => void items.push(this.value(depth + 1)))
    return { kind: 'array', from, to: this.at, items }
  }

  private list(end: string, entry: () => void): void {
    this.blanks()
    if (this.text[this.at] === end) {
      this.at += 1
      return
    }
    for (;;) {
      this.blanks()
      entry()
      this.blanks()
      const next = this.text[this.at]
      if (next !== ',' && next !== end) this.fail(next === undefined ? 'breaks off' : 'lacks a comma')
      this.at += 1
      if (next === end) return
    }
  }

  private scalar(): JsonNode {
    const from = this.at
    const found = SCALAR.exec(this.text.slice(from, from + 1) === '"' ? this.quoted(from) : this.text.slice(from, from + 40))?.[0]
    if (found === undefined) return this.fail(this.at >= this.text.length ? 'breaks off' : 'has something that is no JSON')
    this.at += found.length
    return { kind: 'scalar', from, to: this.at, value: this.read(found) }
  }

  private read(found: string): string | number | boolean | null {
    try {
      return JSON.parse(found) as string | number | boolean | null
    } catch {
      return this.fail('has a text that is no JSON')
    }
  }

  /** From a quote to its closing quote. */
  private quoted(from: number): string {
    let end = from + 1
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    return this.text.slice(from, end + 1)
  }

  private blanks(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? '-')) this.at += 1
    const two = this.text.slice(this.at, this.at + 2)
    if (two === '//' || two === '/*') this.fail('has comments')
  }

  private fail(what: string): never {
    throw new Unreadable(`${what} (line ${this.text.slice(0, this.at).split('\n').length})`)
  }
}

const SCALAR = /^(?:"[\s\S]*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined
}

export const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.kind === 'array' ? node.items : [])

export const textOf = (node: JsonNode | undefined): string | null =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null
