/** Judged rows as text for people. */

const HEADER = ['figure', 'Holdfast', 'peer', '', 'ratio', 'spread', 'budget', '']

export function renderTable(rows) {
  const lines = [HEADER, ...rows.map(cells)]
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const rightAligned = new Set([1, 2, 4, 5, 6])
  const text = lines.map((line) =>
    line
      .map((cell, column) => (rightAligned.has(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  )
  return [text[0], '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...text.slice(1)].join('\n')
}

function cells(row) {
  const { holdfast, peer, ratio } = row.median
  const [low, high] = row.spread
  const hasPeer = ratio !== null
  const number = (value) => (hasPeer ? `${short(value)}×` : short(value))
  return [
    row.label,
    quantity(holdfast, row.unit),
    hasPeer ? quantity(peer, row.unit) : '–',
    hasPeer ? (row.peerName ?? '') : '',
    hasPeer ? `${short(ratio)}×` : '–',
    row.holdfast.length > 1 ? `${number(low)}–${number(high)}` : '',
    budgetText(row),
    row.isMet === null ? '' : row.isMet ? 'met' : 'MISSED',
  ]
}

function budgetText({ budget, unit }) {
  if (budget === null) return ''
  const { most, least } = budget.ratio ?? budget.value
  const bound = most === undefined ? `≥ ${least}` : `≤ ${most}`
  return budget.ratio === undefined ? `${bound} ${unit}`.trim() : `${bound}×`
}

const quantity = (value, unit) => `${short(value)} ${unit}`.trim()

/** Three digits that matter. */
function short(value) {
  if (Number.isInteger(value)) return String(value)
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}
