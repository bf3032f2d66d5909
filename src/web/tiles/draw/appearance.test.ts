import { expect, it } from 'vitest'
import { pageSettings } from '../../../../test/support/pageSettings.ts'
import { appearanceOf, isPageDark, type Seen } from './appearance.ts'
import { shadesOf } from './schemes.ts'

const seen = (changes: Partial<Seen> = {}): Seen => ({
  settings: pageSettings(),
  theme: null,
  isPageDark: true,
  fontStep: 0,
  isAway: false,
  ...changes,
})

it('a terminal has its own scheme, else the one of the settings', () => {
  const settings = pageSettings({ terminalTheme: 'nord' })
  expect(appearanceOf(seen({ settings })).palette).toEqual(shadesOf('nord', { isDark: true }).palette)
  expect(appearanceOf(seen({ settings, theme: 'latte' })).palette).toEqual(shadesOf('latte', { isDark: true }).palette)
})

it('a dark scheme stays dark in a light page; colours are corrected only on a light background', () => {
  expect(appearanceOf(seen({ theme: 'nord', isPageDark: false }))).toMatchObject({ isDark: true, minimumContrast: 1 })
  expect(appearanceOf(seen({ isPageDark: false }))).toMatchObject({ isDark: false, minimumContrast: 4.5 })
})

it('this device adds to the size of the settings, within what can be read', () => {
  const settings = pageSettings({ fontSize: 14, fontFamily: 'Iosevka' })
  expect(appearanceOf(seen({ settings, fontStep: 2 }))).toMatchObject({ fontSize: 16, fontFamily: 'Iosevka, monospace' })
  expect(appearanceOf(seen({ settings, fontStep: -20 })).fontSize).toBe(6)
  expect(appearanceOf(seen({ settings, fontStep: 99 })).fontSize).toBe(40)
  expect(appearanceOf(seen()).fontFamily).toContain('monospace')
})

it('the cursor is dim while nothing can be typed', () => {
  const { palette } = appearanceOf(seen({ isAway: true }))
  expect(palette.cursor).toBe(palette.brightBlack)
})

it('the page is dark where the settings say so, or the system where they leave it to it', () => {
  expect([isPageDark('dark', false), isPageDark('light', true), isPageDark('system', true), isPageDark('system', false)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
