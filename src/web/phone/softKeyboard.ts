/** What is held on the row of soft keys, for everything that is typed into any terminal, on whichever keyboard. */
import { type Modifier, NOTHING_HELD, type Sticky, tapped, typedWith } from './stickyKeys.ts'

export class SoftKeyboard {
  sticky: Sticky = NOTHING_HELD
  private readonly listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  tap(modifier: Modifier): void {
    this.change(tapped(this.sticky, modifier, performance.now()))
  }

  /** What is to be sent for these bytes, which a keyboard has made. */
  modify = (bytes: Uint8Array): Uint8Array => {
    const before = new TextDecoder().decode(bytes)
    const { text, sticky } = typedWith(this.sticky, before)
    if (sticky !== this.sticky) this.change(sticky)
    return text === before ? bytes : new TextEncoder().encode(text)
  }

  private change(sticky: Sticky): void {
    this.sticky = sticky
    for (const listener of this.listeners) listener()
  }
}
