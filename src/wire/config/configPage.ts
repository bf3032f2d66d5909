/** The options of the page, in the section [page]. They are heard at once by every page that is open. */

import { CLIPBOARD_POLICIES, PAGE_THEMES, SCHEME_NAMES } from '../pageSettings.ts'
import { flag, oneOf, type Section, text, texts, whole } from './configKinds.ts'

const FONT_SIZE = { min: 8, max: 32 } as const

export const PAGE_OPTIONS = {
  theme: oneOf({ default: 'system', choices: PAGE_THEMES, sentence: 'Theme of the page: light, dark, or as your system.' }),
  terminalTheme: oneOf({
    default: 'holdfast',
    choices: SCHEME_NAMES,
    sentence: 'Color theme of terminals that have none of their own.',
  }),
  fontFamily: text({
    default: '',
    bounds: 'font names separated by commas, or empty',
    pattern: /^[^\0-\x1f\x7f;{}<>\\]{0,200}$/,
    sentence: 'Fonts of terminals; the first installed one is used. Empty: the default fonts.',
  }),
  fontSize: whole({ default: 13, ...FONT_SIZE, sentence: 'Font size of terminals, in pixels.' }),
  copyOnSelect: flag({ default: false, sentence: 'Copy selected text immediately.' }),
  pasteGuard: flag({
    default: true,
    sentence: 'Ask before pasting several lines into a program that runs each line immediately.',
  }),
  clipboard: oneOf({
    default: 'ask',
    choices: CLIPBOARD_POLICIES,
    sentence: 'Whether programs may write to your clipboard: ask first, always, or never.',
  }),
  notifications: flag({ default: true, sentence: 'Notify when an agent needs you or is done and you are not looking at it.' }),
  quietHours: text({
    default: '',
    bounds: 'two different times of day as in "22:00-07:00", or empty',
    accepts: isSpanOfDay,
    sentence: 'Daily times without notifications. Empty: none.',
  }),
  keys: texts({
    default: {},
    bounds: 'an action and its keys, such as palette = "Ctrl+K"; empty keys disable it',
    isKey: (action) => /^[a-z][A-Za-z0-9.-]{0,63}$/.test(action),
    isText: isShortcut,
    sentence: 'Keyboard shortcuts of the page that differ from the defaults.',
  }),
} as const satisfies Section

/** At the same time of day it would be either always or never. */
function isSpanOfDay(value: string): boolean {
  const [, from, to] = value.match(/^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/) ?? []
  return value === '' || (from !== undefined && from !== to)
}

function isShortcut(value: string): boolean {
  return value === '' || /^(?:(?:Ctrl|Alt|Shift|Meta|Cmd|Mod)\+)*(?:[!-~]|[A-Z][A-Za-z0-9]{1,15})$/.test(value)
}
