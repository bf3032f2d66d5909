/** Whether the page is light or dark, and how much larger letters are on this device than the settings say. */
import type { PageSettings } from '../wire/pageSettings.ts'
import { fontSizeOf, isPageDark } from './tiles/appearance.ts'

const FONT_STEP_KEY = 'holdfast.fontStep'

type Told = { readonly state: { readonly settings: PageSettings }; readonly subscribe: (listener: () => void) => () => void }

export class Look {
  private readonly page: Told
  private readonly system = matchMedia('(prefers-color-scheme: dark)')
  private readonly listeners = new Set<() => void>()
  private step = storedStep()

  constructor(page: Told) {
    this.page = page
    this.show()
    page.subscribe(() => this.show())
    this.system.addEventListener('change', () => this.tell())
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get isDark(): boolean {
    return isPageDark(this.page.state.settings.theme, this.system.matches)
  }

  /** Pixels. */
  get fontStep(): number {
    return this.step
  }

  /** On this device only. */
  changeFont(step: number): void {
    const { fontSize } = this.page.state.settings
    this.setStep(fontSizeOf(fontSize, this.step + step) - fontSize)
  }

  resetFont(): void {
    this.setStep(0)
  }

  private setStep(step: number): void {
    this.step = step
    keepStep(step)
    this.tell()
  }

  private show(): void {
    const { theme } = this.page.state.settings
    const scheme = theme === 'system' ? '' : theme
    const { style } = document.documentElement
    if (style.colorScheme !== scheme) style.colorScheme = scheme
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }
}

function storedStep(): number {
  try {
    const step = Number(localStorage.getItem(FONT_STEP_KEY))
    return Number.isFinite(step) ? step : 0
  } catch {
    return 0 // a browser that keeps nothing: the settings count
  }
}

function keepStep(step: number): void {
  try {
    localStorage.setItem(FONT_STEP_KEY, String(step))
  } catch {
    // A browser that keeps nothing: it is as it was after a reload.
  }
}
