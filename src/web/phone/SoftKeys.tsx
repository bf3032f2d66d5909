import { type PointerEvent, useRef, useSyncExternalStore } from 'react'
import { refusals } from '../../base/refusal.ts'
import { type Parts, useParts } from '../hooks/parts.ts'
import type { SoftKeyboard } from './softKeyboard.ts'
import { AFTER_MODIFIERS, BEFORE_MODIFIERS, type SoftKey } from './softKeys.ts'
import { isHeld, type Modifier } from './stickyKeys.ts'
import './phone.css'

/** The keys that a phone's keyboard lacks. They leave the focus where it is, so that the keyboard stays as it is, too. */
export function SoftKeys({ keyboard }: { readonly keyboard: SoftKeyboard }) {
  const parts = useParts()
  const type = (key: SoftKey) => parts.tiles.focused?.typeKey(key)
  return (
    <div className="softKeys" role="toolbar" aria-label="Keys" onPointerDown={keepFocus} onMouseDown={(event) => event.preventDefault()}>
      {BEFORE_MODIFIERS.map((key) => (
        <Key key={key.name} softKey={key} onType={type} />
      ))}
      <ModifierKey keyboard={keyboard} modifier="ctrl" name="Ctrl" />
      <ModifierKey keyboard={keyboard} modifier="alt" name="Alt" />
      {AFTER_MODIFIERS.map((key) => (
        <Key key={key.name} softKey={key} onType={type} />
      ))}
      <button type="button" onClick={() => void paste(parts)}>
        paste
      </button>
    </div>
  )
}

/** A finger that comes down on a key would take the focus, and with it the keyboard, away from the terminal. */
const keepFocus = (event: PointerEvent): void => {
  if (event.pointerType !== 'mouse') event.preventDefault()
}

function ModifierKey({
  keyboard,
  modifier,
  name,
}: {
  readonly keyboard: SoftKeyboard
  readonly modifier: Modifier
  readonly name: string
}) {
  const hold = useSyncExternalStore(keyboard.subscribe, () => keyboard.sticky[modifier])
  return (
    <button
      type="button"
      aria-label={hold.kind === 'locked' ? `${name}, locked` : name}
      aria-pressed={isHeld(hold)}
      data-locked={hold.kind === 'locked'}
      onClick={() => keyboard.tap(modifier)}
    >
      {modifier}
    </button>
  )
}

const REPEATS_AFTER_MS = 400
const REPEATS_EVERY_MS = 60

function Key({ softKey, onType }: { readonly softKey: SoftKey; readonly onType: (key: SoftKey) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hasRepeated = useRef(false)
  const repeat = () => {
    hasRepeated.current = true
    onType(softKey)
    timer.current = setTimeout(repeat, REPEATS_EVERY_MS)
  }
  const down = () => {
    hasRepeated.current = false
    if (softKey.repeats) timer.current = setTimeout(repeat, REPEATS_AFTER_MS)
  }
  const up = () => clearTimeout(timer.current)
  return (
    <button
      type="button"
      aria-label={softKey.name}
      onPointerDown={down}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={up}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => hasRepeated.current || onType(softKey)}
    >
      {softKey.label}
    </button>
  )
}

async function paste({ page, tiles }: Parts): Promise<void> {
  const text = await readClipboard()
  if (text === null) page.say(refusals.clipboardClosed())
  else if (text !== '') tiles.focused?.paste(text)
}

/** Browsers hand it out only where the connection is safe, and only when the user agrees. */
const readClipboard = (): Promise<string | null> =>
  navigator.clipboard === undefined ? Promise.resolve(null) : navigator.clipboard.readText().catch(() => null)
