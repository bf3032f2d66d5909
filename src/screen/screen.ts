/**
 * src/screen: the screen of one run, a pure model fed with its bytes. screen.ts is the front door: write, resize, read, snapshot,
 * restore. engine/ is the emulator and what guards it, cells/ reads cells as text, colors and ANSI, lines/ numbers the lines of a run,
 * queries/ answers what programs ask, snapshot/ keeps and restores a screen. Only base and the emulator come in; no clock, no disk.
 */
import { type ReadOptions, readAnsi, readHtml, readJson, readText, type ScreenJson } from './cells/formats.ts'
import { DARK_THEME, type Theme } from './cells/palette.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { GROUND, LAST_SEQUENCE_STATE } from './engine/internals.ts'
import { createProgramState, followProgram, keyboardStack } from './engine/programState.ts'
import { createCharacterAligner, createCutFinder } from './engine/safeCut.ts'
import { stringsBegun, swallowing } from './engine/stringCaps.ts'
import { type ScreenEvent, watchEvents } from './events.ts'
import { type InputModes, inputModes } from './inputModes.ts'
import { type Collection, collectLines } from './lines/collect.ts'
import { createLineNumbers, type LineNumbers } from './lines/lines.ts'
import { createMarks, type Mark } from './lines/marks.ts'
import { type LineFormat, type NumberedLines, readNumbered } from './lines/numbered.ts'
import { answerQueries } from './queries/replies.ts'
import type { Whole } from './snapshot/compare.ts'
import { restoreAnsi, restoreCells } from './snapshot/restoreSnapshot.ts'
import type { Snapshot } from './snapshot/snapshot.ts'
import { type CheckedSnapshot, takeSnapshot } from './snapshot/takeSnapshot.ts'

/**
 * The model of one terminal, fed with a run's bytes.
 *
 * It knows the picture, the modes and the history, answers what programs ask their terminal, and can be written down as a
 * snapshot and restored from one. It knows nothing about processes, clients or disks.
 */
export type Screen = {
  readonly size: ScreenSize
  /** How many bytes the parser has consumed since the start of the run. Bytes of an unfinished character are not counted yet. */
  readonly seq: number
  /** Whether nothing is unfinished: no escape sequence, no character. */
  readonly atSafeCut: boolean
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  readonly title: string
  /** The numbers of the lines in memory. */
  readonly lines: Pick<LineNumbers, 'first' | 'from' | 'top' | 'cursor' | 'end' | 'rowOf' | 'wholeRows'>
  readonly cwd: string
  /** What the program last said about how it does (OSC 7501), as it said it; empty when it has nothing to say. */
  readonly status: string
  readonly modes: InputModes
  /** How many strings (OSC, DCS), bells and window requests (CSI t) have been read: what a program says beside the picture. */
  readonly asides: number
  /** Resolves once the bytes are parsed. Feeds and resizes take effect in the order of the calls. */
  feed(bytes: Uint8Array): Promise<void>
  resize(size: ScreenSize): Promise<void>
  /** Taken at the newest safe cut, so its seq may be behind the screen's by an unfinished sequence. */
  snapshot(options?: { history?: number }): Snapshot
  /** The same, with the verdict: each snapshot is restored and compared once, however many ask for it at one moment. */
  checkedSnapshot(options?: { history?: number }): CheckedSnapshot
  /** How many snapshots were made and checked, and how many of them would not come back exactly. */
  readonly snapshotCounts: { readonly taken: number; readonly inexact: number }
  restore(snapshot: Snapshot): Promise<void>
  text(options?: ReadOptions): string
  ansi(options?: ReadOptions): string
  html(options?: ReadOptions): string
  json(options?: ReadOptions): ScreenJson
  /** Lines by number, those before `to`, as far as they are in memory. One that wraps is one. */
  numbered(options: { from: number; to: number; format: LineFormat }): NumberedLines
  /** From now on lines that leave the memory are taken; one collection at a time. */
  collect(options: { from: number; to: number; format: LineFormat; most: number }): Collection
  /** What the terminal answers to its program (ASCII), to be written to the program's input. Returns how to stop listening. */
  onReply(listener: (text: string) => void): () => void
  onEvent(listener: (event: ScreenEvent) => void): () => void
  /** While off, no query is answered and nothing rings: old bytes are read, not lived. On at first. */
  setAnswering(on: boolean): void
  /** Remembers this moment for `textSince`; dispose it when done. */
  mark(): Mark
  /** What was visible at the mark, as it is now, and everything printed since. */
  textSince(mark: Mark): string
  dispose(): void
}

export type ScreenSize = { readonly cols: number; readonly rows: number }

export type ScreenOptions = ScreenSize & { /** Lines kept live above the screen. */ readonly scrollback?: number; readonly theme?: Theme }

const SCROLLBACK_LINES = 1_000 // 3.3 MB when full; older lines are paged from the log
const SNAPSHOT_HISTORY_LINES = 1_000
const MAX_SNAPSHOTS = 4 // of one moment: what is kept, a page, an attached client, and one client with other options

export function createScreen({ cols, rows, scrollback = SCROLLBACK_LINES, theme = DARK_THEME }: ScreenOptions): Screen {
  const replyListeners = new Set<(text: string) => void>()
  const eventListeners = new Set<(event: ScreenEvent) => void>()
  const state = createProgramState()
  const aligner = createCharacterAligner()
  const cuts = createCutFinder()
  let answering = true
  let restoring = false
  let disposed = false
  let title = ''
  let bells = 0
  let windowRequests = 0
  let stringsBefore = 0
  /** Of this moment, by how much history they hold. */
  const snapshots = new Map<number, CheckedSnapshot>()
  const counts = { taken: 0, inexact: 0 }

  const emit = (event: ScreenEvent) => {
    if (event.kind === 'title') title = event.title
    if (event.kind === 'bell') bells++
    if (restoring || (!answering && (event.kind === 'bell' || event.kind === 'notification'))) return
    for (const listener of eventListeners) listener(event)
  }
  const answer = (text: string) => {
    if (answering && !restoring) for (const listener of replyListeners) listener(text)
  }
  const start = (size: ScreenSize): Engine => {
    const next = createEngine({ ...legal(size), scrollback: Math.max(1, scrollback) })
    followProgram(next, state)
    answerQueries({ engine: next, state, theme, answer })
    watchEvents(next, state, emit)
    next.internals._inputHandler._parser.registerCsiHandler({ final: 't' }, () => {
      windowRequests++
      return false
    })
    return next
  }
  let engine = start({ cols, rows })
  const strings = () => stringsBegun(engine.internals._inputHandler._parser)
  /** Nothing has been fed yet: a snapshot of the same size needs no other engine. */
  let isFresh = true
  const lines = createLineNumbers(engine)
  const marks = createMarks(engine)

  const consumed = (bytes: Uint8Array) => {
    const parser = engine.internals._inputHandler._parser
    const { currentState } = parser
    cuts.consumed(bytes, {
      ground: currentState === GROUND,
      string: currentState > LAST_SEQUENCE_STATE,
      swallowing: swallowing(parser, cuts.seq + bytes.length - cuts.cut),
    })
    marks.refresh()
    snapshots.clear()
  }
  const write = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      try {
        engine.write(chunk, () => {
          consumed(chunk)
          resolve()
        })
      } catch (error) {
        const seq = cuts.seq + chunk.length
        const { snapshot } = takeSnapshot({ engine, state }, { seq, pending: '', title, history: scrollback, lines: lines.mark })
        restoreFrom(snapshot, resolve)
        emit({ kind: 'fault', message: error instanceof Error ? error.message : String(error) })
      }
    })
  const checkedSnapshot = ({ history = SNAPSHOT_HISTORY_LINES }: { history?: number } = {}): CheckedSnapshot => {
    const known = snapshots.get(history)
    if (known !== undefined) return known
    const { pending } = cuts
    const seq = pending === '' ? cuts.cut : cuts.seq
    const taken = takeSnapshot({ engine, state }, { seq, pending, title, history, lines: lines.mark })
    const [oldest = history] = snapshots.keys()
    if (snapshots.size >= MAX_SNAPSHOTS) snapshots.delete(oldest)
    snapshots.set(history, taken)
    counts.taken++
    if (taken.differs.length > 0) counts.inexact++
    return taken
  }
  const restoreFrom = (snapshot: Snapshot, done: () => void) => {
    restoring = true
    snapshots.clear()
    Object.assign(state, createProgramState())
    if (!isFresh || snapshot.cols !== engine.terminal.cols || snapshot.rows !== engine.terminal.rows) {
      stringsBefore += strings()
      engine.dispose()
      engine = start(snapshot)
    }
    isFresh = false
    restoreAnsi({ engine, state }, snapshot)
    restoreCells({ engine, state }, snapshot)
    engine.write(snapshot.pending, () => undefined)
    lines.restart(engine, snapshot.lines)
    marks.restart(engine)
    title = snapshot.title
    cuts.restart(snapshot.seq, snapshot.pending)
    restoring = false
    done()
  }

  const screen: Screen = {
    get size() {
      return { cols: engine.terminal.cols, rows: engine.terminal.rows }
    },
    get seq() {
      return cuts.seq
    },
    get atSafeCut() {
      return cuts.cut === cuts.seq && cuts.pending === '' && aligner.held.length === 0
    },
    get cursor() {
      const buffer = engine.internals._bufferService.buffers.active
      return { x: Math.min(buffer.x, engine.terminal.cols - 1), y: buffer.y, visible: !engine.internals.coreService.isCursorHidden }
    },
    get title() {
      return title
    },
    lines,
    get cwd() {
      return state.cwd
    },
    get status() {
      return state.status
    },
    get modes() {
      return inputModes(engine, keyboardStack(engine, state).at(-1) ?? 0)
    },
    get asides() {
      return bells + windowRequests + stringsBefore + strings()
    },
    async feed(bytes) {
      if (disposed) return
      isFresh = false
      await aligner.push(bytes).map(write).at(-1)
    },
    resize(size) {
      return new Promise((resolve) => {
        if (disposed) return resolve()
        isFresh = false
        engine.write('', () => {
          const next = legal(size)
          marks.aroundResize(() => lines.resize(next))
          snapshots.clear()
          resolve()
        })
      })
    },
    snapshot: (options) => checkedSnapshot(options).snapshot,
    checkedSnapshot,
    snapshotCounts: counts,
    restore(snapshot) {
      return new Promise((resolve) => {
        if (disposed) return resolve()
        aligner.reset()
        restoreFrom(snapshot, resolve)
      })
    },
    text: (options = {}) => readText(engine, options),
    ansi: (options = {}) => readAnsi(engine, options),
    html: (options = {}) => readHtml(engine, options, theme),
    json: (options = {}) => readJson(engine, options, { title, numbers: lines.all() }),
    numbered: (options) => readNumbered(engine, lines, { ...options, theme }),
    collect: (options) => collectLines(() => engine, lines, { ...options, theme }),
    onReply: (listener) => subscribe(replyListeners, listener),
    onEvent: (listener) => subscribe(eventListeners, listener),
    setAnswering(on) {
      answering = on
    },
    mark: marks.mark,
    textSince: marks.textSince,
    dispose() {
      disposed = true
      engine.dispose()
    },
  }
  wholes.set(screen, () => ({ engine, state }))
  return screen
}

const wholes = new WeakMap<Screen, () => Whole>()

/** What is behind a screen: for tests, which compare more than a screen shows. */
export function wholeOf(screen: Screen): Whole {
  const whole = wholes.get(screen)?.()
  if (whole === undefined) throw new Error('not a screen made by createScreen')
  return whole
}

export const engineOf = (screen: Screen): Engine => wholeOf(screen).engine

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The engine knows no terminal narrower than two columns: a wide character must fit. */
const legal = ({ cols, rows }: ScreenSize): ScreenSize => ({ cols: Math.max(2, Math.floor(cols)), rows: Math.max(1, Math.floor(rows)) })
