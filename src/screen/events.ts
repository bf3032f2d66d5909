import type { Engine } from './engine.ts'
import type { ProgramState } from './programState.ts'

/** What a program tells its terminal beside the picture. */
export type ScreenEvent =
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'cwd'; readonly cwd: string }
  | { readonly kind: 'bell' }
  | { readonly kind: 'notification'; readonly title: string; readonly body: string }
  /** A shell with integration says where it is: it shows its prompt, waits for a command, runs it, has run it. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'commandInput' }
  | { readonly kind: 'commandStarted' }
  | { readonly kind: 'commandEnded'; readonly exitCode: number | null }
  /** The engine failed on some bytes and was started anew with what it showed; the rest of those bytes is missing. */
  | { readonly kind: 'fault'; readonly message: string }

const MAX_TITLE = 256 // characters; longer ones are cut, not refused
const MAX_BODY = 1024
const MAX_CWD = 4096

export function watchEvents(engine: Engine, state: ProgramState, emit: (event: ScreenEvent) => void): void {
  const { parser } = engine.terminal
  engine.terminal.onBell(() => emit({ kind: 'bell' }))
  engine.terminal.onTitleChange((title) => emit({ kind: 'title', title: cleanText(title, MAX_TITLE) }))
  const moved = (cwd: string | null) => {
    if (cwd === null || cwd === state.cwd) return
    state.cwd = cwd
    emit({ kind: 'cwd', cwd })
  }
  const notified = (title: string, body: string) =>
    emit({ kind: 'notification', title: cleanText(title, MAX_TITLE), body: cleanText(body, MAX_BODY) })
  const on = (code: number, handle: (data: string) => void) =>
    parser.registerOscHandler(code, (data) => {
      handle(data)
      return false
    })
  on(7, (data) => moved(pathOfFileUrl(data)))
  on(1337, (data) => moved(data.startsWith('CurrentDir=') ? absolutePath(data.slice('CurrentDir='.length)) : null))
  on(9, (data) => {
    if (!/^\d+(;|$)/.test(data)) notified('', data) // a number is a progress bar or another extension
  })
  on(777, (data) => {
    const [verb, title = '', ...body] = data.split(';')
    if (verb === 'notify') notified(title, body.join(';'))
  })
  on(133, (data) => {
    const event = shellMark(data)
    if (event !== null) emit(event)
  })
}

function shellMark(data: string): ScreenEvent | null {
  const [mark, code = ''] = data.split(';')
  switch (mark) {
    case 'A':
      return { kind: 'prompt' }
    case 'B':
      return { kind: 'commandInput' }
    case 'C':
      return { kind: 'commandStarted' }
    case 'D':
      return { kind: 'commandEnded', exitCode: /^\d{1,3}$/.test(code) ? Number(code) : null }
    default:
      return null
  }
}

function pathOfFileUrl(url: string): string | null {
  const path = /^file:\/\/[^/]*(\/.*)$/.exec(url)?.[1]
  if (path === undefined) return null
  try {
    return absolutePath(decodeURIComponent(path))
  } catch {
    return null // not a URL after all: a program's mistake, and no directory
  }
}

const absolutePath = (path: string): string | null =>
  path.startsWith('/') && path.length <= MAX_CWD && cleanText(path, MAX_CWD) === path ? path : null

const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Without control characters and without marks that turn the direction of the text around it. */
export const cleanText = (text: string, max: number = MAX_TITLE): string => text.slice(0, max).replace(UNPRINTABLE, '')
