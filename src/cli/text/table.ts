/**
 * Text for people: tables here, terminals, ages and sizes in words (format), refusals (refusalText), colors (color). Pure, and the
 * lowest folder of the CLI: nothing here knows verbs. Start reading here.
 */
import { safeText } from '../../workspace/text.ts'
import { type Output, paletteFor, type Tone } from './color.ts'

const LONGEST_CELL = 400
const GAP = '  '
/** A column that shrinks keeps at least this width, or its text would say nothing. */
const NARROWEST = 8

export type Column<Row> = {
  readonly title: string
  /** Programs choose some of it, so control characters are removed before it is printed. */
  text(row: Row): string
  readonly tone?: Tone | ((row: Row) => Tone)
  /** Is cut where the terminal is too narrow. */
  readonly shrinks?: true
}

type WidthOf = (text: string) => number

/** In the width of the user's terminal; where the output is none, nothing is cut. */
export async function tableText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], output: Output): Promise<string> {
  const palette = paletteFor(output)
  const cells = rows.map((row) => columns.map((column) => safeText(column.text(row), LONGEST_CELL)))
  const titles = columns.map(({ title }) => title)
  const widthOf = await widthOfAny(cells.flat())
  const natural = columns.map((_, at) => Math.max(...[titles, ...cells].map((line) => widthOf(line[at] ?? ''))))
  const { isTTY, columns: available = 0 } = output.stdout
  const widths = isTTY === true ? fitted(natural, columns, available) : natural
  const lineOf = (line: readonly string[], toneOf: (at: number) => Tone): string =>
    line
      .map((text, at) => {
        const cut = truncated(text, widths[at] ?? 0, widthOf)
        const padding = at === line.length - 1 ? '' : ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cut)))
        return palette[toneOf(at)](cut) + padding
      })
      .join(GAP)
      .trimEnd()
  const body = rows.map((row, at) => lineOf(cells[at] ?? [], (column) => toneIn(columns[column], row)))
  return [lineOf(titles, () => 'dim'), ...body].join('\n')
}

const toneIn = <Row>(column: Column<Row> | undefined, row: Row): Tone =>
  typeof column?.tone === 'function' ? column.tone(row) : (column?.tone ?? 'plain')

/** Takes one column at a time from the widest that may shrink. */
function fitted<Row>(natural: readonly number[], columns: readonly Column<Row>[], available: number): number[] {
  const widths = [...natural]
  const total = (): number => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
  while (total() > available) {
    let widest = -1
    for (const [at, width] of widths.entries())
      if (columns[at]?.shrinks === true && width > NARROWEST && (widest < 0 || width > (widths[widest] ?? 0))) widest = at
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function truncated(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (widthOf(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

const PLAIN = /^[\x20-\x7e…]*$/

/** Columns that a text takes, as the screens count them. Their tables are loaded only for texts that are not plain ASCII. */
async function widthOfAny(texts: readonly string[]): Promise<WidthOf> {
  if (texts.every((text) => PLAIN.test(text))) return (text) => text.length
  const { widths } = await import('../../screen/engine/widths.ts')
  return (text) => {
    let columns = 0
    let state = 0
    let cell = 0
    for (const character of text) {
      state = widths.charProperties(character.codePointAt(0) ?? 0, state)
      const joins = (state & 1) === 1
      if (!joins) columns += cell
      cell = (state >> 1) & 3
    }
    return columns + cell
  }
}
