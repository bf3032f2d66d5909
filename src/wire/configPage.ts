/** The options of the page, in the section [page]. They are heard at once by every page that is open. */
import { flag, oneOf, type Section, text, texts, whole } from './configKinds.ts'
import { SCHEME_NAMES } from './schemeNames.ts'

export const PAGE_THEMES = ['system', 'light', 'dark'] as const
export const CLIPBOARD_POLICIES = ['ask', 'allow', 'never'] as const
export const FONT_SIZE = { min: 8, max: 32 } as const

export const PAGE_OPTIONS = {
  theme: oneOf({ default: 'system', choices: PAGE_THEMES, sentence: 'Whether the page is light or dark, or as your system is.' }),
  terminalTheme: oneOf({
    default: 'holdfast',
    choices: SCHEME_NAMES,
    sentence: 'The colours of terminals that have no colour scheme of their own.',
  }),
  fontFamily: text({
    default: '',
    bounds: 'names of fonts with commas between them, or empty',
    pattern: /^[^\0-\x1f\x7f;{}<>\\]{0,200}$/,
    sentence: 'The fonts of terminals, the first that is installed counts; empty takes the usual ones.',
  }),
  fontSize: whole({ default: 13, ...FONT_SIZE, sentence: 'How large the letters in terminals are, in pixels.' }),
  copyOnSelect: flag({ default: false, sentence: 'Whether what is selected in a terminal is copied at once.' }),
  pasteGuard: flag({
    default: true,
    sentence: 'Whether the page asks before it pastes several lines into a program that would run each at once.',
  }),
  clipboard: oneOf({
    default: 'ask',
    choices: CLIPBOARD_POLICIES,
    sentence: 'Whether programs may write into your clipboard: after you were asked, always, or never.',
  }),
  notifications: flag({ default: true, sentence: 'Whether you are notified when an agent needs you or is done while you look elsewhere.' }),
  quietHours: text({
    default: '',
    bounds: 'two different times of day as in "22:00-07:00", or empty',
    accepts: isSpanOfDay,
    sentence: 'From when to when nobody is notified, every day; empty means never.',
  }),
  keys: texts({
    default: {},
    bounds: 'an action and its keys, as in palette = "Ctrl+K"; no keys switch it off',
    isKey: (action) => /^[a-z][A-Za-z0-9.-]{0,63}$/.test(action),
    isText: isShortcut,
    sentence: 'Keys of the page that are different from the usual ones.',
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
