#!/usr/bin/env node
/**
 * Makes the inputs of the benchmarks: bytes as programs write them, the same for the same seed on every machine.
 *   node bench/corpora.mjs [--mb 8] [--seed 1] [log] [colour] [unicode] [agent]
 * writes bench/corpora/KIND-MBmb-sSEED.bin where it is missing and prints the paths.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const FOLDER = fileURLToPath(new URL('corpora/', import.meta.url))
const MIB = 1024 * 1024
const COLS = 120 // the benchmarks' terminal: 120x40

const WORDS = `request cache user session worker table index shard node stream token batch retry queue commit branch
  build test route handler parser buffer socket frame window cursor column layer record update select insert merge
  started finished failed opened closed waiting ready slow fast empty full partial done`.split(/\s+/)

/** One kind of output each: a function that gives the next piece, a few lines or one redraw. */
const KINDS = { log: makeLog, colour: makeColour, unicode: makeUnicode, agent: makeAgent }
export const CORPORA = Object.keys(KINDS)

/** Exactly `bytes` long; the cut may fall inside a character or an escape sequence, as it does in life. */
export function makeCorpus(kind, { bytes, seed = 1 }) {
  const next = KINDS[kind](makeRandom(seed))
  const parts = []
  for (let size = 0; size < bytes; ) {
    const part = Buffer.from(next())
    parts.push(part)
    size += part.length
  }
  return Buffer.concat(parts).subarray(0, bytes)
}

/** The path of a corpus on disk, made if it is missing. */
export function corpusFile(kind, { mb = 8, seed = 1, folder = FOLDER } = {}) {
  const path = join(folder, `${kind}-${mb}mb-s${seed}.bin`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const partial = `${path}.${process.pid}.partial`
  writeFileSync(partial, makeCorpus(kind, { bytes: Math.round(mb * MIB), seed }))
  renameSync(partial, path)
  return path
}

/** A small generator with 32 bits of state (a Weyl sequence and a mixing step): good enough to vary text. */
function makeRandom(seed) {
  let state = seed >>> 0
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const below = (limit) => bits() % limit
  const pick = (list) => list[below(list.length)]
  const words = (count) => Array.from({ length: count }, () => pick(WORDS)).join(' ')
  return { below, pick, words }
}

/** A server's log: plain ASCII, a time stamp, lines from short to longer than the terminal is wide. */
function makeLog({ below, pick, words }) {
  let ms = 0
  return () => {
    ms += below(400)
    const time = new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
    const level = pick(['INFO ', 'INFO ', 'INFO ', 'DEBUG', 'WARN ', 'ERROR'])
    return `${time} ${level} [${pick(WORDS)}-${below(64)}] ${words(3 + below(16))} id=${below(1 << 24).toString(16)} took=${below(900)}ms\r\n`
  }
}

/** Test runners, diffs and listings: short spans, each with its own colours and styles in all three palettes. */
function makeColour({ below, pick, words }) {
  const sgr = () =>
    pick([
      () => `\x1b[${30 + below(8)}m`,
      () => `\x1b[1;${90 + below(8)}m`,
      () => `\x1b[38;5;${below(256)}m`,
      () => `\x1b[48;5;${below(256)};38;5;${below(256)}m`,
      () => `\x1b[38;2;${below(256)};${below(256)};${below(256)}m`,
      () => `\x1b[${pick([3, 4, 7, 9])}m`,
    ])()
  return () => {
    const spans = Array.from({ length: 4 + below(8) }, () => `${sgr()}${words(1 + below(2))}\x1b[0m`)
    return `${spans.join(' ')}\x1b[K\r\n`
  }
}

const SCRIPTS = [
  '終端は静かに眠る',
  '터미널은 계속 살아',
  'терминал живёт',
  'το τερματικό ζει',
  'المحطة تعمل',
  'टर्मिनल चलता है',
  'żółć naïve façade',
  '┌─┬─┐│├┤└┴┘█▓▒░',
]
const EMOJI = ['🚀', '✅', '❤️', '👩‍💻', '🇪🇺', '👍🏽', '🧪', '⚠️']
const MARKS = ['\u0301', '\u0308', '\u0323'] // combining: acute, diaeresis, dot below

/** Wide, joined, combining and right-to-left characters next to plain words. */
function makeUnicode({ below, pick, words }) {
  const piece = () =>
    pick([() => pick(SCRIPTS), () => pick(EMOJI), () => words(1), () => `${pick([...'aeiouAEIOU'])}${pick(MARKS)}${pick(WORDS)}`])()
  return () => `${Array.from({ length: 5 + below(10) }, piece).join(' ')}\r\n`
}

const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
const REDRAWS_PER_PARAGRAPH = 24

/** An agent at work: paragraphs that stay, and below them a live block that is erased and drawn anew many times a second. */
function makeAgent({ below, pick, words }) {
  let frame = 0
  let drawnLines = 0
  const rgb = () => `\x1b[38;2;${below(256)};${below(256)};${below(256)}m`
  const erase = () => `${'\x1b[2K\x1b[1A'.repeat(drawnLines)}\x1b[2K\x1b[G`
  const paragraph = () => Array.from({ length: 1 + below(6) }, () => `${rgb()}⏺\x1b[39m ${words(6 + below(9))}\x1b[0m\r\n`).join('')
  const block = () => {
    const inner = COLS - 4
    const rows = [
      `${rgb()}${SPINNER[frame % SPINNER.length]} ${pick(WORDS)}…\x1b[39m \x1b[2m(${Math.floor(frame / 10)}s · ${frame * 7} tokens)\x1b[22m`,
      ...Array.from({ length: 3 + below(5) }, () => `  \x1b[2m⎿\x1b[22m  ${rgb()}${words(4 + below(6))}\x1b[39m`),
      `\x1b[90m╭${'─'.repeat(inner)}╮\x1b[39m`,
      `\x1b[90m│\x1b[39m > ${words(3)
        .padEnd(inner - 3)
        .slice(0, inner - 3)}\x1b[90m│\x1b[39m`,
      `\x1b[90m╰${'─'.repeat(inner)}╯\x1b[39m`,
    ]
    drawnLines = rows.length
    return `${rows.join('\r\n')}\r\n`
  }
  return () => {
    frame += 1
    const before = erase()
    const kept = frame % REDRAWS_PER_PARAGRAPH === 0 ? paragraph() : ''
    return `\x1b[?2026h\x1b[?25l${before}${kept}${block()}\x1b[?25h\x1b[?2026l`
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = (value) => ({ type: 'string', default: value })
  const { values, positionals } = parseArgs({ options: { mb: text('8'), seed: text('1') }, allowPositionals: true })
  const unknown = positionals.filter((kind) => !CORPORA.includes(kind))
  if (unknown.length > 0) throw new Error(`no corpus ${unknown.join(', ')}: there are ${CORPORA.join(', ')}`)
  for (const kind of positionals.length > 0 ? positionals : CORPORA) {
    console.log(corpusFile(kind, { mb: Number(values.mb), seed: Number(values.seed) }))
  }
}
