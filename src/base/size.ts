/** How large a terminal can be. Every size from outside is checked against this: it bounds what one screen costs in memory. */
export type Size = { readonly cols: number; readonly rows: number }

const SMALLEST: Size = { cols: 2, rows: 1 } // one column cannot hold a wide character, and pages that hide a tile report 0 or 1
export const LARGEST: Size = { cols: 1000, rows: 1000 }

export function isSize({ cols, rows }: Size): boolean {
  const whole = Number.isInteger(cols) && Number.isInteger(rows)
  return whole && cols >= SMALLEST.cols && rows >= SMALLEST.rows && cols <= LARGEST.cols && rows <= LARGEST.rows
}
