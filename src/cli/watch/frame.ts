/** One picture of a list that is watched: as much of it as fits, drawn over the one before. */
const HOME = '\x1b[H'
const REST_OF_LINE = '\x1b[K'
const REST_OF_SCREEN = '\x1b[J'

/** On the alternate screen, so that what was there before is there again; no wrapping, and no cursor to flicker. */
export const BEGIN = '\x1b[?1049h\x1b[?7l\x1b[?25l'
export const END = '\x1b[?25h\x1b[?7h\x1b[?1049l'

export function frameOf(lines: readonly string[], rows: number): string {
  const room = Math.max(1, rows)
  const hidden = lines.length - room + 1
  const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${hidden} more`]
  return `${HOME}${shown.map((line) => line + REST_OF_LINE).join('\r\n')}${REST_OF_SCREEN}`
}
