/** The options of config.toml as they are shown for changing: in sections, with the editor that fits each. Pure. */
import type { OptionShown } from '../../../wire/commands/config.ts'
import { schemeLabel } from '../../tiles/schemes.ts'

export type Editor =
  | { readonly kind: 'choice'; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number | null; readonly max: number | null }
  | { readonly kind: 'text' }
  | { readonly kind: 'list' }
  /** From names to words. */
  | { readonly kind: 'lists' }
  /** What is easier to write in the file. */
  | { readonly kind: 'file' }

export function editorOf({ key, type, bounds, choices, value }: OptionShown): Editor {
  const labelOf = key === 'page.terminal_theme' ? schemeLabel : String
  if (choices !== null) return { kind: 'choice', choices: choices.map((choice) => ({ value: choice, label: labelOf(choice) })) }
  if (typeof value === 'boolean') return { kind: 'flag' }
  if (typeof value === 'number') return { kind: 'number', ...boundsOf(bounds) }
  if (typeof value === 'string') return { kind: 'text' }
  if (Array.isArray(value)) return { kind: 'list' }
  return type === 'section of lists' ? { kind: 'lists' } : { kind: 'file' }
}

/** As in `8 to 32`, or `256 (1 KiB) to 512`. */
function boundsOf(bounds: string): { readonly min: number | null; readonly max: number | null } {
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

/** `page.font_size` is the font size. */
export function labelOf(key: string): string {
  const words = key.slice(key.lastIndexOf('.') + 1).replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A value as it is said in a sentence. */
export function valueText(value: unknown): string {
  if (value === '') return 'empty'
  if (value === true) return 'on'
  if (value === false) return 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return typeof value === 'object' ? 'as built in' : String(value)
}

/** A list is typed with commas or spaces between its items. */
export const readList = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

/** What a number's field gives: null is no number, and said so before anything is asked. */
export function readNumber(text: string): number | null {
  return /^-?\d+$/.test(text.trim()) ? Number(text.trim()) : null
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
