/** Lines of a TOML text put in, replaced and taken out. The text has been parsed: `table` is what it says. */
import { sameValue } from '../../workspace/sameValue.ts'
import { type Assignment, findStatements, type Statement } from './configLines.ts'
import { isTable, keyText, valueText } from './toml.ts'

type Path = readonly string[]
type Table = Readonly<Record<string, unknown>>
type Change = { readonly path: Path; readonly table: object }

/** Null for a value that TOML cannot say, and where the key stands in something that is no table. */
export function writeAt(text: string, { path, table, value }: Change & { readonly value: unknown }): string | null {
  const written = valueText(value)
  if (written === null) return null
  const statements = findStatements(text)
  const own = assignments(statements).find((statement) => sameValue(statement.path, path))
  if (own !== undefined) return text.slice(0, own.value) + written + text.slice(own.to)
  const around = assignmentAround(statements, path)
  if (around === undefined) return insert(text, { statements, path, written })
  return rewriteInline(text, { around, path, table, change: (inner, name) => ({ ...inner, [name]: value }) })
}

/** Comments stay, even those that spoke of it. The header of the path itself goes with it, unless it is to be filled again. */
export function removeAt(text: string, { path, table, keepsHeader }: Change & { readonly keepsHeader: boolean }): string | null {
  const statements = findStatements(text)
  const around = assignmentAround(statements, path)
  const drop = (inner: Table, name: string): Table => Object.fromEntries(Object.entries(inner).filter(([other]) => other !== name))
  if (around !== undefined) return rewriteInline(text, { around, path, table, change: drop })
  const gone = statements.filter(
    (statement) => startsWith(statement.path, path) && !(keepsHeader && statement.kind === 'header' && sameValue(statement.path, path)),
  )
  return gone.reduceRight(withoutLines, text)
}

const assignments = (statements: readonly Statement[]): readonly Assignment[] =>
  statements.filter((statement) => statement.kind === 'assignment')

const startsWith = (path: Path, beginning: Path): boolean => sameValue(path.slice(0, beginning.length), beginning)

/** The one whose value, in braces, has the path within it. */
const assignmentAround = (statements: readonly Statement[], path: Path): Assignment | undefined =>
  assignments(statements).find((statement) => statement.path.length < path.length && startsWith(path, statement.path))

type Inline = Change & { readonly around: Assignment; readonly change: (inner: Table, name: string) => Table }

function rewriteInline(text: string, { around, path, table, change }: Inline): string | null {
  const inner = around.path.reduce<unknown>((found, name) => (isTable(found) ? found[name] : undefined), table)
  const [name, ...deeper] = path.slice(around.path.length)
  if (!isTable(inner) || name === undefined || deeper.length > 0) return null
  const written = valueText(change(inner, name))
  return written === null ? null : text.slice(0, around.value) + written + text.slice(around.to)
}

function withoutLines(text: string, statement: Statement): string {
  const from = text.lastIndexOf('\n', statement.from - 1) + 1
  return text.slice(0, from) + text.slice(endOfLine(text, statement.kind === 'header' ? statement.from : statement.to))
}

type Insertion = { readonly statements: readonly Statement[]; readonly path: Path; readonly written: string }

/** Under its section's header, or beside others of its section that are written with dots, or in a new section at the end. */
function insert(text: string, { statements, path, written }: Insertion): string {
  const section = path.slice(0, -1)
  const line = (from: Path) => `${path.slice(from.length).map(keyText).join('.')} = ${written}`
  const header = statements.find((statement) => statement.kind === 'header' && sameValue(statement.path, section))
  if (header !== undefined || section.length === 0) {
    const at = placeWithin(text, { statements, section, key: path.at(-1) ?? '' })
    return putLine(text, at, line(section))
  }
  const dotted = assignments(statements).findLast((other) => startsWith(other.path, section) && other.section.length < section.length)
  if (dotted !== undefined) return putLine(text, endOfLine(text, dotted.to), line(dotted.section))
  const gap = text === '' ? '' : lineEndOf(text)
  return putLine(text, text.length, `${gap}[${section.map(keyText).join('.')}]${lineEndOf(text)}${line(section)}`)
}

type Within = { readonly statements: readonly Statement[]; readonly section: Path; readonly key: string }

/** Below the line that has it behind a #, as in the example; else below the last option of the section. */
function placeWithin(text: string, { statements, section, key }: Within): number {
  const index = section.length === 0 ? -1 : statements.findIndex(({ kind, path }) => kind === 'header' && sameValue(path, section))
  const later = statements.slice(index + 1)
  const nextHeader = later.find(({ kind }) => kind === 'header')
  const mine = assignments(nextHeader === undefined ? later : later.slice(0, later.indexOf(nextHeader)))
  const begin = index < 0 ? 0 : endOfLine(text, statements[index]?.from ?? 0)
  const commented = commentedLine(text, { from: begin, to: nextHeader?.from ?? text.length, key, taken: mine })
  if (commented !== null) return commented
  const last = mine.at(-1)
  if (last !== undefined) return endOfLine(text, last.to)
  if (index >= 0 || nextHeader === undefined) return index >= 0 ? begin : text.length
  return text.lastIndexOf('\n', nextHeader.from - 1) + 1
}

type Search = { readonly from: number; readonly to: number; readonly key: string; readonly taken: readonly Assignment[] }

function commentedLine(text: string, { from, to, key, taken }: Search): number | null {
  const pattern = new RegExp(`^#[ \\t]?${keyText(key).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}[ \\t]*=.*$`, 'gm')
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found !== null && found.index < to; found = pattern.exec(text)) {
    const at = found.index
    if (!taken.some((other) => other.from < at && at < other.to)) return endOfLine(text, at)
  }
  return null
}

/** Where the next line begins. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

function putLine(text: string, at: number, line: string): string {
  const before = text.slice(0, at)
  const open = before !== '' && !before.endsWith('\n') ? lineEndOf(text) : ''
  return before + open + line + lineEndOf(text) + text.slice(at)
}
