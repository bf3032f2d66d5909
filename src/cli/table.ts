/** A table for people. Cells hold what programs chose, so whatever could command the terminal is taken out first. */
import { safeText } from '../workspace/text.ts'
import { type Paint, paletteFor } from './colour.ts'
import type { Host } from './host.ts'
import { textWidthFor } from './textWidth.ts'

const LONGEST_CELL = 400
const GAP = '  '
/** A column that must give way keeps at least this much, or the table would say nothing. */
const NARROWEST = 8

export type Column<Row> = {
  readonly title: string
  text(row: Row): string
  readonly paint?: (row: Row) => Paint
  /** Gives way where the terminal is too narrow. */
  readonly shrinks?: true
}

type TableOptions = {
  /** Columns of the terminal; null where nobody looks, and nothing is cut. */
  readonly columns: number | null
  readonly header: Paint
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number
}

/** As wide as the terminal of whoever looks. */
export async function tableText<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { stdout, env }: Pick<Host, 'stdout' | 'env'>,
): Promise<string> {
  const widthOf = await textWidthFor(rows.flatMap((row) => columns.map((column) => column.text(row))))
  return renderTable(rows, columns, {
    columns: stdout.isTTY === true ? stdout.columns : null,
    header: paletteFor(stdout, env).dim,
    widthOf,
  })
}

function renderTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], options: TableOptions): string {
  const cells = rows.map((row) => columns.map((column) => safeText(column.text(row), LONGEST_CELL)))
  const titles = columns.map(({ title }) => title)
  const natural = columns.map((_, at) => Math.max(...[titles, ...cells].map((line) => options.widthOf(line[at] ?? ''))))
  const widths = options.columns === null ? natural : fitted(natural, columns, options.columns)
  const lineOf = (line: readonly string[], paintOf: (at: number) => Paint): string =>
    line
      .map((text, at) => {
        const cut = truncated(text, widths[at] ?? 0, options.widthOf)
        const padding = at === line.length - 1 ? '' : ' '.repeat(Math.max(0, (widths[at] ?? 0) - options.widthOf(cut)))
        return paintOf(at)(cut) + padding
      })
      .join(GAP)
      .trimEnd()
  const body = cells.map((line, row) => lineOf(line, (at) => paintFor(columns[at], rows[row])))
  return [lineOf(titles, () => options.header), ...body].join('\n')
}

const plain: Paint = (text) => text

function paintFor<Row>(column: Column<Row> | undefined, row: Row | undefined): Paint {
  return column?.paint === undefined || row === undefined ? plain : column.paint(row)
}

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

function truncated(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (widthOf(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}
