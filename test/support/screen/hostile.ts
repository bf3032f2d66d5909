import { utf8Encode } from '../../../src/base/utf8.ts'
import { joinBytes } from '../../../src/screen/engine/safeCut.ts'
import type { ScreenSize } from '../../../src/screen/screen.ts'
import type { Random } from './random.ts'
import type { Recording } from './recordings.ts'

/** Output that no program would print: real output damaged, and sequences made up, with changes of the size between. */
export type HostileStep = { readonly bytes: Uint8Array } | { readonly resize: ScreenSize }
export type HostileCase = { readonly size: ScreenSize; readonly steps: readonly HostileStep[] }

const MAX_SLICE = 1_500 // bytes of a recording at a time
const MAX_STEPS = 12

export function hostileCase(random: Random, recordings: readonly Recording[]): HostileCase {
  const size = hostileSize(random)
  const steps: HostileStep[] = []
  for (let left = 1 + random.below(MAX_STEPS); left > 0; left--) {
    if (random.chance(0.2)) steps.push({ resize: hostileSize(random) })
    else steps.push({ bytes: hostileBytes(random, recordings) })
  }
  return { size, steps }
}

const hostileSize = (random: Random): ScreenSize =>
  random.chance(0.1) ? { cols: 1 + random.below(3), rows: 1 + random.below(2) } : { cols: 2 + random.below(90), rows: 1 + random.below(30) }

function hostileBytes(random: Random, recordings: readonly Recording[]): Uint8Array {
  if (recordings.length === 0 || random.chance(0.4)) return madeUp(random)
  let bytes = sliceOf(random, recordings)
  for (let left = random.below(6); left > 0; left--) bytes = random.pick(DAMAGES)(bytes, random, recordings)
  return bytes
}

function sliceOf(random: Random, recordings: readonly Recording[]): Uint8Array {
  const { bytes } = random.pick(recordings)
  const from = random.below(bytes.length)
  return bytes.slice(from, from + 1 + random.below(MAX_SLICE))
}

type Damage = (bytes: Uint8Array, random: Random, recordings: readonly Recording[]) => Uint8Array

const insert = (bytes: Uint8Array, at: number, more: Uint8Array): Uint8Array => joinBytes(bytes.subarray(0, at), more, bytes.subarray(at))

const DAMAGES: readonly Damage[] = [
  function flip(bytes, random) {
    const damaged = bytes.slice()
    for (let left = 1 + random.below(8); left > 0; left--) damaged[random.below(bytes.length)] = random.below(256)
    return damaged
  },
  function cut(bytes, random) {
    const from = random.below(bytes.length)
    return joinBytes(bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(60)))
  },
  function duplicate(bytes, random) {
    const from = random.below(bytes.length)
    return insert(bytes, from, bytes.subarray(from, from + 1 + random.below(200)))
  },
  function splice(bytes, random, recordings) {
    return insert(bytes, random.below(bytes.length + 1), sliceOf(random, recordings).subarray(0, 300))
  },
  function insertControls(bytes, random) {
    return insert(bytes, random.below(bytes.length + 1), Uint8Array.of(random.below(32), random.pick([0x18, 0x1a, 0x1b, 0x7f, 0x0a])))
  },
  function insertSequence(bytes, random) {
    return insert(bytes, random.below(bytes.length + 1), utf8Encode(sequence(random)))
  },
  function enlargeNumber(bytes, random) {
    const at = bytes.findIndex((byte, index) => index >= random.below(bytes.length) && byte >= 0x30 && byte <= 0x39)
    return at < 0 ? bytes : insert(bytes, at, utf8Encode(random.pick(HUGE)))
  },
]

const HUGE = ['9999', '65536', '2147483647', '4294967296', '99999999999999999999', '0'.repeat(300)]

function madeUp(random: Random): Uint8Array {
  const parts: string[] = []
  for (let left = 1 + random.below(40); left > 0; left--) parts.push(random.chance(0.35) ? random.pick(TEXTS) : sequence(random))
  const bytes = utf8Encode(parts.join(''))
  return random.chance(0.2) ? (DAMAGES[0]?.(bytes, random, []) ?? bytes) : bytes
}

const TEXTS = [
  'a',
  'hello ',
  '日本',
  'e\u0301',
  '\u0301',
  '👩‍💻',
  '🇩🇪',
  '❤️',
  '\u200d',
  '\ufe0f',
  '\r\n',
  '\n',
  '\t',
  '\b',
  '\x0e',
  '\x0f',
  '\x07',
  'y'.repeat(95),
]
const FINALS = [...'@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstuvwxyz{|}~']
const MODES = [
  1, 3, 4, 5, 6, 7, 9, 12, 20, 25, 45, 47, 66, 69, 1000, 1002, 1003, 1004, 1006, 1007, 1016, 1047, 1048, 1049, 2004, 2026, 2027, 2048,
]

function sequence(random: Random): string {
  switch (random.below(10)) {
    case 0:
    case 1:
      return `\x1b[${numbers(random)}${random.pick(FINALS)}`
    case 2:
      return `\x1b[${random.pick(['?', '>', '<', '=', '!', '?'])}${numbers(random)}${random.pick(['', '', '$', '"', ' ', "'"])}${random.pick(FINALS)}`
    case 3:
      return `\x1b[?${random.pick(MODES)}${random.pick(['h', 'l'])}`
    case 4:
      return `\x1b[${Array.from({ length: random.below(5) }, () => random.pick(PENS)).join(';')}m`
    case 5:
      return `\x1b${random.pick([...'78=>DEHMNOZcno|}~', '#8', '#3', '(0', ')A', '*K', '+B', '%G', '%@', ' F'])}`
    case 6:
      return `\x1b[${1 + random.below(30)};${1 + random.below(90)}${random.pick(['H', 'f', 'r'])}`
    case 7:
      return `\x1b]${random.pick(OSCS)}${random.pick(['\x07', '\x1b\\', '\x1b\\', '', '\x18'])}`
    case 8:
      return `${random.pick(['\x1bP', '\x1b_', '\x1b^', '\x1bX', '\u0090', '\u009b', '\u009d'])}${random.pick(STRINGS)}${random.pick(['\x1b\\', '\x1b\\', '', '\x18'])}`
    default:
      return random.pick(['\x1b', '\x1b[', '\x1b[3', '\x1b[3\n', '\x1b[1;', '\x1b]', '\x1bP1', '\x1b(', '\x1b[?', '\x1b#'])
  }
}

const PENS = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '4:3',
  '7',
  '8',
  '9',
  '21',
  '24',
  '31',
  '44',
  '97',
  '38;5;123',
  '48;2;1;2;3',
  '58:5:7',
  '58:2::1:2:3',
  '59',
  '53',
  '38:2',
  '38;5',
  '999999',
]
const OSCS = [
  '2;title',
  '0;',
  '8;;http://a.b',
  '8;id=x;http://c.d',
  '8;;',
  '4;3;#102030',
  '4;300;?',
  '7;file:///tmp',
  '104',
  '110',
  '10;?',
  '133;A',
  '52;c;?',
  `2;${'t'.repeat(5000)}`,
  `8;;${'u'.repeat(5000)}`,
  '22;0t',
]
const STRINGS = ['q#0;2;0;0;0', '$qm', '+q544e', 'Gabc', '', '1;2|', 'x'.repeat(6000), '31m', '?1049h']

function numbers(random: Random): string {
  return Array.from({ length: random.below(4) }, () =>
    random.chance(0.1) ? random.pick(HUGE) : random.chance(0.1) ? '' : String(random.below(40)),
  ).join(random.pick([';', ';', ':']))
}
