/**
 * A program's screen in a window of another size. Its bytes would wrap and scroll at the wrong places here, so the daemon's
 * screen is drawn instead: the rows that fit, the last ones first, dots around them, and a line that says why.
 */
import { canTakeLead, sizedText } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { firstRow, rowText, widthOfRow } from './pager/styledLine.ts'
import type { ForeignSize } from './sizeKeeper.ts'

const REDRAW_EVERY_MS = 100
/** The daemon's screen may be behind the holder's output for a moment: one more look when the output has stopped. */
const LAST_LOOK_AFTER_MS = 300

/** Switches off modes that would garble the drawing; keyboard and paste modes stay as the program set them. */
const PREPARE = '\x18\x1b[?2026l\x1b[?69l\x1b[r\x1b[?6l\x1b[?7l\x1b[4l\x1b(B\x0f\x1b[m\x1b[?25l\x1b[2J'

export type OtherSizeOptions = {
  /** The lines of the program's screen, with colors; null when the daemon does not answer. */
  read(): Promise<string | null>
  write(text: string): void
  window(): Size | null
}

export class OtherSizeView {
  private shown: ForeignSize | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: OtherSizeOptions) {}

  get isShown(): boolean {
    return this.shown !== null
  }

  show(foreign: ForeignSize): void {
    this.shown = foreign
    this.options.write(PREPARE)
    void this.draw()
    this.changed()
  }

  /** Call after something else was painted over it. */
  again(): void {
    if (this.shown !== null) this.show(this.shown)
  }

  leave(): void {
    this.shown = null
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** Call when the program has printed something. */
  changed(): void {
    if (this.shown !== null) this.timer ??= setTimeout(() => void this.redraw(), REDRAW_EVERY_MS)
  }

  private async redraw(): Promise<void> {
    await this.draw()
    this.timer = undefined
    if (this.shown === null) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.draw()
    }, LAST_LOOK_AFTER_MS)
  }

  private async draw(): Promise<void> {
    const content = await this.options.read()
    const window = this.options.window()
    if (content !== null && window !== null && this.shown !== null) this.options.write(drawnAt(content.split('\n'), this.shown, window))
  }
}

export function drawnAt(lines: readonly string[], { size, sizedBy }: ForeignSize, window: Size): string {
  const height = window.rows - 1
  const shown = lines.slice(-Math.max(1, height))
  const rows = Array.from({ length: Math.max(0, height) }, (_, y) => {
    const inside = y < size.rows
    const cols = inside ? Math.min(size.cols, window.cols) : 0
    return `${cropped(inside ? (shown[y] ?? '') : '', cols)}\x1b[2m${'·'.repeat(window.cols - cols)}`
  })
  const notice = ` ${sizedText(sizedBy, size)}${canTakeLead(sizedBy) ? '. Type to fit it to this window' : ''} `
  const drawn = [...rows, `\x1b[7m${cropped(notice, window.cols)}`]
  return drawn.map((row, y) => `\x1b[${y + 1};1H\x1b[m${row}\x1b[m`).join('')
}

/** Exactly so many columns of a line, blanks included. */
function cropped(line: string, cols: number): string {
  const row = firstRow(line, cols)
  return rowText(row) + ' '.repeat(cols - widthOfRow(row))
}
