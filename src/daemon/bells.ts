/**
 * The bell of one run, for whoever marks its terminal: heard at once, and then at most once in a while, however often a
 * program rings. One that rang meanwhile is not lost, it is heard late.
 */
export const BELL_EVERY_MS = 1_000 // whoever looks all the time takes each mark away again: a write and an event for each

export class Bells {
  private pause: NodeJS.Timeout | undefined
  private rangMeanwhile = false

  constructor(private readonly tell: () => void) {}

  ring(): void {
    if (this.pause !== undefined) this.rangMeanwhile = true
    else this.tellAndPause()
  }

  close(): void {
    clearTimeout(this.pause)
    if (this.rangMeanwhile) this.tell()
    this.rangMeanwhile = false
  }

  private tellAndPause(): void {
    this.rangMeanwhile = false
    this.tell()
    this.pause = setTimeout(() => {
      this.pause = undefined
      if (this.rangMeanwhile) this.tellAndPause()
    }, BELL_EVERY_MS).unref()
  }
}
