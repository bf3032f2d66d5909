/** The options of config.toml as they are shown for changing: in sections, with the editor that fits each. Pure. */
import type { OptionShown } from '../../../wire/commands/config.ts'
import { capital } from '../../state/words.ts'
import { schemeLabel } from '../../tiles/draw/schemes.ts'

export type Editor =
  | { readonly kind: 'choice'; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: 'flag' }
  /** What is shown is the value divided by `scale`: milliseconds as seconds. */
  | { readonly kind: 'number'; readonly min: number | null; readonly max: number | null; readonly scale: number; readonly wrong: string }
  | { readonly kind: 'text' }
  | { readonly kind: 'list' }
  /** From names to words. */
  | { readonly kind: 'lists' }
  /** What is easier to write in the file. */
  | { readonly kind: 'file' }

export function editorOf({ key, type, bounds, choices, value }: OptionShown): Editor {
  const choiceLabel = key === 'page.terminal_theme' ? schemeLabel : choiceWords
  if (choices !== null) return { kind: 'choice', choices: choices.map((choice) => ({ value: choice, label: choiceLabel(choice) })) }
  if (typeof value === 'boolean') return { kind: 'flag' }
  if (typeof value === 'number') {
    const within = scaled(boundsOf(bounds), SCALES[key] ?? 1)
    return { kind: 'number', ...within, wrong: boundsWords(key, within) }
  }
  if (typeof value === 'string') return { kind: 'text' }
  if (Array.isArray(value)) return { kind: 'list' }
  return type === 'section of lists' ? { kind: 'lists' } : { kind: 'file' }
}

const CHOICES: Readonly<Record<string, string>> = { ask: 'Ask first', 'last-typed': 'Last typed in', tmux: 'tmux' }

const choiceWords = (choice: string): string => CHOICES[choice] ?? capital(choice.replaceAll('-', ' '))

type Bounds = { readonly min: number | null; readonly max: number | null }

const scaled = ({ min, max }: Bounds, scale: number): Bounds & { readonly scale: number } => ({
  min: min === null ? null : min / scale,
  max: max === null ? null : max / scale,
  scale,
})

/** As in `8 to 32`, or `256 (1 KiB) to 512`. */
function boundsOf(bounds: string): Bounds {
  const [, min, max] = bounds.match(/^(-?\d+)(?: \([^)]*\))? to (-?\d+)/) ?? []
  return { min: min === undefined ? null : Number(min), max: max === undefined ? null : Number(max) }
}

export type OptionGroup = { readonly key: string; readonly title: string; readonly options: readonly OptionShown[] }

const TITLES: Readonly<Record<string, string>> = {
  '': 'Terminals',
  page: 'This page',
  env: 'Environment',
  checkpoints: 'Checkpoints',
  restore: 'After a crash',
  attach: 'In a terminal (attach)',
  web: 'Web',
  devices: 'Devices',
  resume: 'Resuming',
  agents: 'Agents',
  search: 'Search',
}

/** They have a tab of their own. */
const ELSEWHERE = ['page.keys']

/** Those of the page first: they are what one sees. Every word of the search must fit. */
export function optionGroups(options: readonly OptionShown[], search: string): readonly OptionGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (option: OptionShown): boolean => {
    const all = `${option.key} ${labelOf(option.key)} ${option.sentence} ${titleOf(sectionOf(option))}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const shown = options.filter((option) => !ELSEWHERE.includes(option.key) && fits(option))
  const keys = [...new Set(shown.map(sectionOf))].sort((a, b) => Number(b === 'page') - Number(a === 'page'))
  return keys.map((key) => ({ key, title: titleOf(key), options: shown.filter((option) => sectionOf(option) === key) }))
}

/** A section that is one option itself is a section of its own. */
function sectionOf({ key, value }: OptionShown): string {
  const at = key.lastIndexOf('.')
  if (at !== -1) return key.slice(0, at)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? key : ''
}

const titleOf = (section: string): string => TITLES[section] ?? labelOf(section)

const LABELS: Readonly<Record<string, string>> = {
  scrollback_lines: 'Lines kept in memory',
  log_bytes: 'Output kept per run (bytes)',
  log_total_bytes: 'Output kept in total (bytes)',
  snapshot_interval_s: 'Save screens every (s)',
  settle_ms: 'Time to quit (s)',
  'env.allow': 'Also inherit',
  'programs.may': 'Programs may',
  'checkpoints.interval_s': 'Autosave every (s)',
  'checkpoints.debounce_ms': 'Autosave after a change (s)',
  'checkpoints.count': 'Keep at most',
  'checkpoints.days': 'Keep for (days)',
  'restore.policy': 'Wake automatically',
  'restore.stagger_ms': 'Pause between starts (s)',
  'restore.most': 'At most',
  'sleep.idle_s': 'Sleep when idle (min)',
  'sleep.memory_percent': 'Sleep below available memory (%)',
  'health.interval_s': 'Check every (s)',
  'health.deadline_ms': 'Answer within (s)',
  'web.trusted_uids': 'Trusted user ids',
  'devices.expire_days': 'Log out after (days)',
  'search.max_bytes': 'Index size (bytes)',
}

/** How many units of the file are one unit of the label. */
const SCALES: Readonly<Record<string, number>> = {
  settle_ms: 1_000,
  'checkpoints.debounce_ms': 1_000,
  'restore.stagger_ms': 1_000,
  'sleep.idle_s': 60,
  'health.deadline_ms': 1_000,
}

/** `page.font_size` is the font size. */
export const labelOf = (key: string): string => LABELS[key] ?? capital(key.slice(key.lastIndexOf('.') + 1).replaceAll('_', ' '))

/** As in `Font size: 8–32`. */
const boundsWords = (key: string, { min, max }: Bounds): string =>
  `${labelOf(key)}: ${min === null || max === null ? 'a number' : `${min}–${max}`}`

/** A value as it is said in a sentence. */
export function valueText(value: unknown): string {
  if (value === '') return 'empty'
  if (value === true) return 'on'
  if (value === false) return 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return typeof value === 'object' ? 'built in' : String(value)
}

/** A list is typed with commas or spaces between its items. */
export const readList = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

/** The value that a number's field gives; null where it is no number, or out of bounds. */
export function readNumber(text: string, { min, max, scale }: Bounds & { readonly scale: number }): number | null {
  const typed = /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text.trim()) : Number.NaN
  const value = Math.round(typed * scale)
  const isWithin = typed >= (min ?? Number.NEGATIVE_INFINITY) && typed <= (max ?? Number.POSITIVE_INFINITY)
  return isWithin && Math.abs(value - typed * scale) < 1e-6 ? value : null
}

export type Row = { readonly name: string; readonly words: string }

export const rowsOf = (value: unknown): readonly Row[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, words]) => ({ name, words: Array.isArray(words) ? words.join(' ') : String(words) }))
    : []

export const tableOf = (rows: readonly Row[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    rows.filter(({ name }) => name.trim() !== '').map(({ name, words }) => [name.trim(), words.split(/\s+/).filter(Boolean)]),
  )
