import type { Engine } from './engine.ts'

/**
 * What programs set and the engine ignores: modes that only a user's real terminal knows, the keyboard protocol, colours,
 * the working directory. It is kept here so that queries can be answered and snapshots are complete.
 */
export type ProgramState = {
  /** DECSET modes by number, only those in `CARRIED_MODES`. */
  readonly modes: Map<number, boolean>
  /** Kitty keyboard flags, one stack per buffer; the last entry is in force. */
  readonly keyboard: { main: number[]; alternate: number[] }
  /** XTMODKEYS resource 4. */
  modifyOtherKeys: number
  /** Colours set by the program: palette index, or 256 foreground, 257 background, 258 cursor. */
  readonly colors: Map<number, Rgb>
  cwd: string
  /** What the program last said about how it does (OSC 7501), as it said it; empty when it has nothing to say. */
  status: string
}

export type Rgb = readonly [red: number, green: number, blue: number]

export const FOREGROUND = 256
export const BACKGROUND = 257
export const CURSOR = 258

// 1005, 1015: mouse encodings; 1007: wheel sends arrows; 1034-1039: meta and alt keys; 2027: graphemes; 2031: colour scheme; 2048: resize reports
const CARRIED_MODES: ReadonlySet<number> = new Set([1005, 1007, 1015, 1034, 1035, 1036, 1039, 2027, 2031, 2048])
const MAX_KEYBOARD_STACK = 16 // as deep as the protocol's own terminals allow; older entries fall out

export function createProgramState(): ProgramState {
  return { modes: new Map(), keyboard: { main: [0], alternate: [0] }, modifyOtherKeys: 0, colors: new Map(), cwd: '', status: '' }
}

function clearProgramState(state: ProgramState): void {
  state.modes.clear()
  state.keyboard.main = [0]
  state.keyboard.alternate = [0]
  state.modifyOtherKeys = 0
  state.colors.clear()
}

/** The same as plain data. */
export type KeptProgramState = {
  readonly modes: readonly (readonly [mode: number, on: boolean])[]
  readonly keyboard: { readonly main: readonly number[]; readonly alternate: readonly number[] }
  readonly modifyOtherKeys: number
  readonly colors: readonly (readonly [index: number, color: Rgb])[]
  readonly cwd: string
  /** Left out by earlier versions. */
  readonly status?: string
}

export function readProgramState({ modes, keyboard, modifyOtherKeys, colors, cwd, status }: ProgramState): KeptProgramState {
  const { main, alternate } = keyboard
  return { modes: [...modes], keyboard: { main: [...main], alternate: [...alternate] }, modifyOtherKeys, colors: [...colors], cwd, status }
}

export function applyProgramState(state: ProgramState, kept: KeptProgramState): void {
  clearProgramState(state)
  for (const [mode, on] of kept.modes) state.modes.set(mode, on)
  state.keyboard.main = [...kept.keyboard.main]
  state.keyboard.alternate = [...kept.keyboard.alternate]
  state.modifyOtherKeys = kept.modifyOtherKeys
  for (const [index, color] of kept.colors) state.colors.set(index, color)
  state.cwd = kept.cwd
  state.status = kept.status ?? ''
}

export const keyboardStack = (engine: Engine, state: ProgramState): number[] =>
  engine.terminal.buffer.active.type === 'alternate' ? state.keyboard.alternate : state.keyboard.main

/** Every handler returns false, so that the engine still does its own part. */
export function followProgram(engine: Engine, state: ProgramState): void {
  const { parser } = engine.terminal
  const setModes = (params: readonly (number | number[])[], on: boolean) => {
    for (const mode of params) if (typeof mode === 'number' && CARRIED_MODES.has(mode)) state.modes.set(mode, on)
    return false
  }
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => setModes(params, true))
  parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => setModes(params, false))
  parser.registerEscHandler({ final: 'c' }, () => {
    clearProgramState(state)
    return false
  })
  parser.registerCsiHandler({ prefix: '>', final: 'm' }, (params) => {
    if (params[0] === 4) state.modifyOtherKeys = numberAt(params, 1)
    return false
  })
  followKeyboard(engine, state)
  followColors(engine, state)
}

function followKeyboard(engine: Engine, state: ProgramState): void {
  const { parser } = engine.terminal
  parser.registerCsiHandler({ prefix: '>', final: 'u' }, (params) => {
    const stack = keyboardStack(engine, state)
    stack.push(numberAt(params, 0) & 31)
    if (stack.length > MAX_KEYBOARD_STACK) stack.splice(1, 1)
    return false
  })
  parser.registerCsiHandler({ prefix: '<', final: 'u' }, (params) => {
    const stack = keyboardStack(engine, state)
    stack.splice(Math.max(0, stack.length - Math.max(1, numberAt(params, 0))))
    if (stack.length === 0) stack.push(0)
    return false
  })
  parser.registerCsiHandler({ prefix: '=', final: 'u' }, (params) => {
    const stack = keyboardStack(engine, state)
    const flags = numberAt(params, 0) & 31
    const before = stack.pop() ?? 0
    const how = numberAt(params, 1)
    stack.push(how === 2 ? before | flags : how === 3 ? before & ~flags : flags)
    return false
  })
}

function followColors(engine: Engine, state: ProgramState): void {
  const { parser } = engine.terminal
  const set = (index: number, text: string | undefined) => {
    const color = parseColor(text ?? '')
    if (color !== null) state.colors.set(index, color)
  }
  parser.registerOscHandler(4, (data) => {
    for (const [index, text] of colorPairs(data)) set(index, text)
    return false
  })
  for (const [code, first] of [
    [10, FOREGROUND],
    [11, BACKGROUND],
    [12, CURSOR],
  ] as const) {
    parser.registerOscHandler(code, (data) => {
      data.split(';').forEach((text, offset) => {
        if (first + offset <= CURSOR) set(first + offset, text)
      })
      return false
    })
    parser.registerOscHandler(code + 100, () => {
      state.colors.delete(first)
      return false
    })
  }
  parser.registerOscHandler(104, (data) => {
    if (data === '') for (const index of [...state.colors.keys()]) if (index < FOREGROUND) state.colors.delete(index)
    for (const index of data.split(';')) if (/^\d{1,3}$/.test(index)) state.colors.delete(Number(index))
    return false
  })
}

/** The pairs of an OSC 4: palette index and colour (or `?`); no more than there are colours. */
export function colorPairs(data: string): [index: number, color: string][] {
  const fields = data.split(';')
  const pairs: [number, string][] = []
  for (let at = 0; at + 1 < fields.length && pairs.length < FOREGROUND; at += 2) {
    const index = Number(fields[at])
    if (/^\d{1,3}$/.test(fields[at] ?? '') && index < FOREGROUND) pairs.push([index, fields[at + 1] ?? ''])
  }
  return pairs
}

/** `rgb:r/g/b` with one to four hexadecimal digits each, or `#` with three times one to four. */
function parseColor(text: string): Rgb | null {
  const named = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(text)
  const parts = named === null ? hashParts(text) : named.slice(1)
  if (parts === null) return null
  const [red = 0, green = 0, blue = 0] = parts.map((hex) => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255))
  return [red, green, blue]
}

function hashParts(text: string): string[] | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{9}|[0-9a-f]{12})$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const width = digits.length / 3
  return [digits.slice(0, width), digits.slice(width, 2 * width), digits.slice(2 * width)]
}

export const numberAt = (params: readonly (number | number[])[], index: number): number => {
  const value = params[index]
  return typeof value === 'number' ? value : 0
}
