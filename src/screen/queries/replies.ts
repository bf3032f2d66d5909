import { currentColor, isDark, type Theme } from '../cells/palette.ts'
import { sgrParameters } from '../cells/sgr.ts'
import type { Engine } from '../engine/engine.ts'
import { BACKGROUND, CURSOR, colorPairs, FOREGROUND, keyboardStack, numberAt, type ProgramState } from '../engine/programState.ts'

/**
 * Answers to what programs ask their terminal. The engine answers some by itself; the rest is here. The size in pixels
 * (CSI 14 t and 16 t) stays unanswered: a screen in the daemon has no pixels, and each client's are others.
 * No answer ever contains text that the program chose (a title, an unknown name): printed by a hostile file, such an answer
 * would be typed into the user's shell.
 */
export type Answering = { readonly engine: Engine; readonly state: ProgramState; readonly theme: Theme; answer(text: string): void }

const NAME_AND_VERSION = 'holdfast(1)'
const PRIMARY_ATTRIBUTES = '\x1b[?1;2c' // the engine's own answer, given to the older form of the question too
const ST = '\x1b\\'
const UNDERSTANDS_STATUS = `\x1b]7501;?${ST}` // the question itself is the answer

export function answerQueries({ engine, state, theme, answer }: Answering): void {
  const { parser } = engine.terminal
  engine.terminal.onData((text) => {
    if (text !== '') answer(text)
  })
  const reply = (text: string) => {
    answer(text)
    return true
  }
  parser.registerEscHandler({ final: 'Z' }, () => reply(PRIMARY_ATTRIBUTES))
  engine.internals._inputHandler._parser.setExecuteHandler('\x9a', () => reply(PRIMARY_ATTRIBUTES)) // the same as one character
  parser.registerCsiHandler({ prefix: '=', final: 'c' }, () => reply(`\x1bP!|00000000${ST}`))
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => reply(`\x1bP>|${NAME_AND_VERSION}${ST}`))
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => reply(`\x1b[?${keyboardStack(engine, state).at(-1) ?? 0}u`))
  parser.registerCsiHandler(
    { prefix: '?', final: 'm' },
    (params) => numberAt(params, 0) === 4 && reply(`\x1b[>4;${state.modifyOtherKeys}m`),
  )
  parser.registerCsiHandler({ prefix: '?', final: 'n' }, (params) => {
    if (numberAt(params, 0) !== 996) return false
    return reply(`\x1b[?997;${isDark(currentColor(BACKGROUND, state, theme)) ? 1 : 2}n`)
  })
  // Characters are always joined into graphemes here; a program may still switch it on for the sake of a user's own terminal.
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, (params) => {
    return numberAt(params, 0) === 2027 && reply(`\x1b[?2027;${state.modes.get(2027) ? 1 : 2}$y`)
  })
  parser.registerOscHandler(7501, (data) => data === '?' && reply(UNDERSTANDS_STATUS))
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, (data) => {
    const status = statusString(data, engine)
    return status !== null && reply(`\x1bP1$r${status}${ST}`)
  })
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, (data) => reply(capability(data)))
  answerColors({ engine, state, theme, answer })
}

/** The settings whose answer from the engine would be wrong. */
function statusString(data: string, { internals }: Engine): string | null {
  if (data === 'm') {
    const { fg, bg, extended } = internals._inputHandler._curAttrData
    return `${sgrParameters(fg, bg, extended)}m`
  }
  if (data !== ' q') return null
  const { cursorStyle, cursorBlink } = internals.coreService.decPrivateModes
  const style = cursorStyle === 'underline' ? 3 : cursorStyle === 'bar' ? 5 : 1
  return `${style + (cursorBlink === true ? 0 : 1)} q`
}

// Terminfo names and values in hexadecimal: Co, colors = 256; RGB = 8
const CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ['436f', '323536'],
  ['636f6c6f7273', '323536'],
  ['524742', '38'],
])

const MAX_NAMES = 16 // programs ask for fewer at once, and the answer is typed into the program's input

function capability(names: string): string {
  const known = names
    .toLowerCase()
    .split(';')
    .map((name) => [name, CAPABILITIES.get(name)] as const)
  if (known.length > MAX_NAMES || known.some(([, value]) => value === undefined)) return `\x1bP0+r${ST}`
  return `\x1bP1+r${known.map(([name, value]) => `${name}=${value}`).join(';')}${ST}`
}

function answerColors({ engine, state, theme, answer }: Answering): void {
  const { parser } = engine.terminal
  const report = (target: string, index: number) => {
    const color = currentColor(index, state, theme).map((value) => value.toString(16).padStart(2, '0').repeat(2))
    answer(`\x1b]${target};rgb:${color.join('/')}${ST}`)
  }
  parser.registerOscHandler(4, (data) => {
    for (const [index, color] of colorPairs(data)) if (color === '?') report(`4;${index}`, index)
    return false
  })
  for (const first of [FOREGROUND, BACKGROUND, CURSOR]) {
    parser.registerOscHandler(first - FOREGROUND + 10, (data) => {
      data.split(';').forEach((color, offset) => {
        if (color === '?' && first + offset <= CURSOR) report(String(first + offset - FOREGROUND + 10), first + offset)
      })
      return false
    })
  }
}
