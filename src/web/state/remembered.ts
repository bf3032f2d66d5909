/** What this browser remembers by itself: how wide the dock is, what was used last. Never what belongs to the daemon. */
import { useSyncExternalStore } from 'react'

type Options<Value> = {
  readonly key: string
  readonly usual: Value
  /** Null for an invalid value, such as one that an older page wrote. */
  readonly decode: (raw: unknown) => Value | null
}

export class Remembered<Value> {
  value: Value
  private readonly key: string
  private readonly listeners = new Set<() => void>()

  constructor({ key, usual, decode }: Options<Value>) {
    this.key = `holdfast.${key}`
    this.value = decode(read(this.key)) ?? usual
  }

  set(value: Value): void {
    this.value = value
    write(this.key, value)
    for (const listener of this.listeners) listener()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

export const useRemembered = <Value>(remembered: Remembered<Value>): Value =>
  useSyncExternalStore(remembered.subscribe, () => remembered.value)

export const decodeFlag = (raw: unknown): boolean | null => (typeof raw === 'boolean' ? raw : null)

export const decodeNumber =
  (min: number, max: number) =>
  (raw: unknown): number | null =>
    typeof raw === 'number' && raw >= min && raw <= max ? raw : null

export const decodeTexts = (raw: unknown): readonly string[] | null =>
  Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : null

/** A browser may refuse to remember anything, and a test has no place for it: the usual goes then. */
function read(key: string): unknown {
  try {
    return JSON.parse(globalThis.localStorage?.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(key: string, value: unknown): void {
  try {
    globalThis.localStorage?.setItem(key, JSON.stringify(value))
  } catch {
    // it is remembered until the page is closed
  }
}
