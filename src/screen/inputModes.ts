import type { Engine } from './engine/engine.ts'

/** What a client must know to encode keys, mouse and pastes for the program. */
export type InputModes = {
  readonly alternate: boolean
  readonly applicationCursorKeys: boolean
  readonly applicationKeypad: boolean
  readonly bracketedPaste: boolean
  readonly focusEvents: boolean
  readonly mouse: MouseMode
  /** Flags of the kitty keyboard protocol; 0 means the old encoding. */
  readonly keyboardFlags: number
}

type MouseMode = 'none' | 'x10' | 'vt200' | 'drag' | 'any'

const MOUSE_MODES: ReadonlyMap<string, MouseMode> = new Map([
  ['X10', 'x10'],
  ['VT200', 'vt200'],
  ['DRAG', 'drag'],
  ['ANY', 'any'],
])

export function inputModes({ internals }: Engine, keyboardFlags: number): InputModes {
  const { buffers } = internals._bufferService
  const { decPrivateModes } = internals.coreService
  return {
    alternate: buffers.active === buffers.alt,
    applicationCursorKeys: decPrivateModes.applicationCursorKeys,
    applicationKeypad: decPrivateModes.applicationKeypad,
    bracketedPaste: decPrivateModes.bracketedPasteMode,
    focusEvents: decPrivateModes.sendFocus,
    mouse: MOUSE_MODES.get(internals.coreMouseService.activeProtocol) ?? 'none',
    keyboardFlags,
  }
}
