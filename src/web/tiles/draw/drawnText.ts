/** What stands in a drawing, as text. */
type Row = { readonly isWrapped: boolean; translateToString(isTrimmed: boolean): string }
type Drawing = { readonly length: number; readonly viewportY: number; getLine(index: number): Row | undefined }

/** Lines that were wrapped at the edge are joined again. */
export function textOf(drawing: Drawing): string {
  const rows = Array.from({ length: drawing.length }, (_, index) => drawing.getLine(index))
  return rows
    .map((row) => `${row?.isWrapped ? '' : '\n'}${row?.translateToString(true) ?? ''}`)
    .join('')
    .slice(1)
}

/** The rows that are seen, as they are. */
export const seenOf = (drawing: Drawing, rows: number): readonly string[] =>
  Array.from({ length: rows }, (_, row) => drawing.getLine(drawing.viewportY + row)?.translateToString(true) ?? '')
