/**
 * Old output shown once more on a screen of its own, which answers no query and is gone afterwards. It takes turns with the
 * living screens of its thread.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen, type Screen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { oldEntries, type Source } from './source.ts'

/** Where to begin. */
export type ReplayStart =
  | { readonly kind: 'snapshot'; readonly seq: number; readonly snapshot: Snapshot }
  /** Behind bytes that are gone, with what was shown before them. */
  | { readonly kind: 'behind'; readonly seq: number; readonly snapshot: Snapshot }
  /** With nothing, at the oldest seq there is, whose line has this number. */
  | { readonly kind: 'bare'; readonly seq: number; readonly line: number }

/** Bytes that are gone. */
export type Gap = { readonly from: number; readonly to: number }

export type ReplayOptions = {
  readonly run: string
  readonly source: Source
  readonly start: ReplayStart
  /** Called with the screen as it begins. */
  readonly begun: (screen: Screen) => void
  /** Asked after each piece, and before the first one behind a gap. */
  readonly isEnough: (at: { readonly seq: number }) => boolean
  /** Asked where bytes are gone, with the screen that what comes after them would go on with: whether to go on. */
  readonly goesOn: (gap: Gap) => Promise<boolean>
  /** Called when there is no more, while the screen is still there. */
  readonly ended: () => void
  /** Pieces end here if they would go beyond. */
  readonly until?: number
}

/** Lines deeper than this are final: no window is that much higher than another. */
const SCROLLBACK_ROWS = 512
const PIECE_BYTES = 32 << 10 // parsed in about a millisecond

export async function replay({ run, source, start, begun, isEnough, goesOn, ended, until }: ReplayOptions): Promise<void> {
  let screen: Screen | null = null
  let fed = start.seq
  let isAfterGap = start.kind === 'behind' || (start.kind === 'bare' && start.seq > 0)
  try {
    for await (const entry of oldEntries(run, source, start.seq)) {
      if (screen === null) {
        screen = await firstScreen(start, entry.kind === 'output' ? null : entry.size)
        begun(screen)
      }
      if (entry.kind === 'gap' || (entry.kind === 'output' && entry.seq > fed)) {
        await screen.feed(AFTER_GAP)
        if (!(await goesOn({ from: fed, to: entry.seq }))) return
        fed = entry.seq
        isAfterGap = true
      }
      if (entry.kind !== 'output') await screen.resize(entry.size)
      else {
        if (isAfterGap) {
          fed += restOfSomething(entry.bytes.subarray(fed - entry.seq))
          if (isEnough({ seq: fed })) return
        }
        isAfterGap = false
        for (const piece of pieces(entry.bytes.subarray(fed - entry.seq), (until ?? Number.POSITIVE_INFINITY) - fed)) {
          await screen.feed(piece)
          fed += piece.length
          if (isEnough({ seq: fed })) return
          await turn()
        }
      }
    }
    ended()
  } finally {
    screen?.dispose()
  }
}

/** What a screen says that shows what a snapshot does. */
export async function onScreen<Answer>(snapshot: Snapshot, ask: (screen: Screen) => Answer): Promise<Answer> {
  const screen = createScreen(snapshot)
  await screen.restore(snapshot)
  const answer = ask(screen)
  screen.dispose()
  return answer
}

async function firstScreen(start: ReplayStart, size: { readonly cols: number; readonly rows: number } | null): Promise<Screen> {
  const from = start.kind === 'bare' ? size : start.snapshot
  if (from === null) throw new Error('the log does not say how large the terminal was')
  const screen = createScreen({ cols: from.cols, rows: from.rows, scrollback: SCROLLBACK_ROWS })
  screen.setAnswering(false)
  if (start.kind !== 'bare') await screen.restore(start.snapshot)
  else if (start.line > 0) await screen.restore({ ...screen.snapshot(), lines: { first: start.line, top: start.line, whole: true } })
  return screen
}

function* pieces(bytes: Uint8Array, first: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const to = at < first ? Math.min(first, at + PIECE_BYTES) : at + PIECE_BYTES
    yield bytes.subarray(at, to)
    at = Math.min(to, bytes.length)
  }
}

/**
 * Continuing after bytes that are gone. What was unfinished before them must not be finished by what comes after, and what
 * comes after may begin inside a sequence or a character whose beginning is lost.
 */

/** Ends any sequence that was cut in two, and returns to plain text. Modes stay: programs set them once and draw ever after. */
export const AFTER_GAP = utf8Encode('\x18\x1b[m\x0f\x1b(B')

/** No control sequence that means anything is longer; text without a single control character is no part of one. */
const SEQUENCE_BYTES = 4_096
const FIRST_PRINTABLE = 0x20

/** How many bytes at the beginning may be the rest of something: a character, or a sequence up to the next control character. */
export function restOfSomething(bytes: Uint8Array): number {
  const control = bytes.subarray(0, SEQUENCE_BYTES).findIndex((byte) => byte < FIRST_PRINTABLE)
  if (control >= 0) return control
  const whole = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return whole < 0 ? bytes.length : whole
}
