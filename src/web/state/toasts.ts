/** Short messages about what has just happened, with at most one thing to do about each. They go by themselves. Pure but for the clock. */
export type Toast = {
  /** A new one with the id of one that is shown takes its place. */
  readonly id: string
  readonly text: string
  readonly action: { readonly label: string; readonly run: () => void } | null
  /** How long it is shown. */
  readonly forMs: number
}

/** Long enough to read it and reach the button. */
export const LONGEST_MS = 60_000
/** More would cover what they are about. */
const MOST = 3

export class Toasts {
  shown: readonly Toast[] = []
  private readonly listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  show(toast: Toast): void {
    const others = this.shown.filter(({ id }) => id !== toast.id)
    this.change([...others, { ...toast, forMs: Math.min(toast.forMs, LONGEST_MS) }].slice(-MOST))
  }

  dismiss(id: string): void {
    if (this.shown.some((toast) => toast.id === id)) this.change(this.shown.filter((toast) => toast.id !== id))
  }

  private change(shown: readonly Toast[]): void {
    this.shown = shown
    for (const listener of this.listeners) listener()
  }
}
