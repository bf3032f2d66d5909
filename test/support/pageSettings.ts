import { defaultConfig } from '../../src/wire/config/config.ts'
import type { PageSettings } from '../../src/wire/pageSettings.ts'

/** The usual ones, with whatever a test needs to be different. */
export const pageSettings = (changes: Partial<PageSettings> = {}): PageSettings => ({ ...defaultConfig.page, ...changes })
