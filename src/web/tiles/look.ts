/** Whether the page is light or dark, and how much larger letters are on this device than the settings say. */
import type { PageSettings } from '../../wire/pageSettings.ts'
import { decodeNumber, Remembered } from '../state/remembered.ts'
import { fontSizeOf, isPageDark } from './draw/appearance.ts'

const MOST_PX = 32
const FONT_STEP = new Remembered({ key: 'fontStep', usual: 0, decode: decodeNumber(-MOST_PX, MOST_PX) })

type Told = { readonly state: { readonly settings: PageSettings }; readonly subscribe: (listener: () => void) => () => void }

export class Look {
  private readonly page: Told
  private readonly system = matchMedia('(prefers-color-scheme: dark)')
  private readonly listeners = new Set<() => void>()

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
    return FONT_STEP.value
  }

  /** On this device only. */
  changeFont(step: number): void {
    const { fontSize } = this.page.state.settings
    this.setStep(fontSizeOf(fontSize, FONT_STEP.value + step) - fontSize)
  }

  resetFont(): void {
    this.setStep(0)
  }

  private setStep(step: number): void {
    FONT_STEP.set(step)
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
