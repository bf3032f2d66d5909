/**
 * The Program Status Protocol (OSC 7501): a program tells its terminal how it does, in pairs like
 * `state=blocked:app=claude-code:kind=permission:msg=…`. Whatever a program prints can say so, a file that is shown on the screen
 * too: it is believed about nothing but the state, and its texts never get further than a line to be read.
 */
import { utf8Decode } from '../base/utf8.ts'
import type { AgentState, StateReport } from './state.ts'

export type ProgramStatus = {
  readonly state: AgentState
  readonly wants: StateReport['wants']
  /** What the program calls itself; null where it does not say. */
  readonly app: string | null
  readonly words: string | null
}

/** Of a program that has taken back what it said. */
export const NO_STATUS: ProgramStatus = { state: 'unknown', wants: null, app: null, words: null }

/** Characters of a report between the number and its end: the protocol's own limit. Longer ones are no reports. */
export const LONGEST_STATUS = 4_096
const LONGEST_MESSAGE = 2_732 // characters of base64, as the protocol has it
const LONGEST_WORDS = 300 // characters: what a list or a notification can show

const STATES: Readonly<Record<string, AgentState>> = {
  idle: 'idle',
  working: 'working',
  done: 'done',
  blocked: 'needs-you',
  // A turn that failed is over all the same, and its words say why.
  error: 'done',
  clear: 'unknown',
}

const PAIR = /^([a-z]{1,16})=([A-Za-z0-9_.,+/=-]*)$/
const APP = /^[A-Za-z0-9_.+-]{1,32}$/

/** Null for what is no report about the program as a whole. A state that is not listed here counts as unknown. */
export function parseProgramStatus(data: string): ProgramStatus | null {
  if (data.length > LONGEST_STATUS) return null
  const pairs = new Map<string, string>()
  for (const piece of data.split(':')) {
    const [, key, value] = PAIR.exec(piece) ?? []
    if (key !== undefined && value !== undefined) pairs.set(key, value)
  }
  const state = pairs.get('state')
  // With an id it speaks of a task of the program: one of many.
  if (state === undefined || pairs.has('id')) return null
  const app = pairs.get('app') ?? ''
  const known = Object.hasOwn(STATES, state) ? (STATES[state] ?? 'unknown') : 'unknown'
  return {
    state: known,
    wants: known === 'needs-you' ? wantsOf(pairs.get('kind')) : null,
    app: APP.test(app) ? app : null,
    words: known === 'unknown' ? null : wordsIn(pairs.get('msg') ?? ''),
  }
}

/** A login that is asked for is neither: its words say what it is. */
const wantsOf = (kind: string | undefined): StateReport['wants'] => (kind === 'permission' || kind === 'question' ? kind : null)

function wordsIn(message: string): string | null {
  const bytes = message.length > LONGEST_MESSAGE ? null : fromBase64(message)
  return bytes === null ? null : oneLine(utf8Decode(bytes), LONGEST_WORDS)
}

const UNSHOWABLE = /[\p{Cs}\p{Cf}\ufffd]/gu
const BLANKS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu

/** Words of a program as one line to be shown: no control or format characters; null where nothing is left. */
export function oneLine(text: string, longest: number = LONGEST_WORDS): string | null {
  const bounded = text.slice(0, longest * 4)
  const line = [...bounded.replace(BLANKS, ' ').replace(UNSHOWABLE, '').trim()]
  if (line.length === 0) return null
  return line.length <= longest ? line.join('') : `${line.slice(0, longest - 1).join('')}…`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function fromBase64(text: string): Uint8Array | null {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let [held, bits, at] = [0, 0, 0]
  for (const digit of digits) {
    held = ((held << 6) | ALPHABET.indexOf(digit)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 0xff
  }
  return bytes
}

/** A report of it, as the others make them. */
export const statusReport = ({ state, wants, words }: ProgramStatus, at: number): StateReport => ({
  source: 'protocol',
  state,
  wants,
  words,
  at,
})

/** Programs call themselves more than by their command: `claude-code` is claude. A program that gives no name may be any. */
export function isStatusOf(agent: string, { app }: Pick<ProgramStatus, 'app'>): boolean {
  if (app === null) return true
  return app === agent || app.startsWith(`${agent}-`) || app.startsWith(`${agent}_`) || agent.startsWith(`${app}-`)
}
