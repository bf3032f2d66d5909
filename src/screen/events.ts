import type { Engine } from './engine/engine.ts'
import { MAX_URI } from './engine/linkCaps.ts'
import type { ProgramState } from './engine/programState.ts'

/** What a program tells its terminal beside the picture. */
export type ScreenEvent =
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'cwd'; readonly cwd: string }
  | { readonly kind: 'bell' }
  | { readonly kind: 'notification'; readonly title: string; readonly body: string }
  /** A shell with integration says where it is: it shows its prompt, waits for a command, runs it, has run it. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'commandInput' }
  /** The command as the shell read it; a shell that says so does it before the command starts. */
  | { readonly kind: 'commandLine'; readonly text: string }
  | { readonly kind: 'commandStarted' }
  | { readonly kind: 'commandEnded'; readonly exitCode: number | null }
  /** A hyperlink that was not seen lately, and may be opened. */
  | { readonly kind: 'link'; readonly uri: string }
  /** How the program does, as it says so (OSC 7501); empty when it has nothing to say any more. */
  | { readonly kind: 'status'; readonly data: string }
  /** The engine failed on some bytes and was started anew with what it showed; the rest of those bytes is missing. */
  | { readonly kind: 'fault'; readonly message: string }

const MAX_TITLE = 256 // characters; longer ones are cut, not refused
const MAX_BODY = 1024
const MAX_CWD = 4096
const MAX_COMMAND = 4096
const MAX_STATUS = 4096 // the protocol's own limit; longer ones are no reports
const MAX_SEEN_LINKS = 256 // a link that comes again after so many others is news again

export function watchEvents(engine: Engine, state: ProgramState, emit: (event: ScreenEvent) => void): void {
  const { parser } = engine.terminal
  engine.terminal.onBell(() => emit({ kind: 'bell' }))
  engine.terminal.onTitleChange((title) => emit({ kind: 'title', title: cleanText(title, MAX_TITLE) }))
  watchTitles(engine)
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
  const shell = (data: string) => {
    const event = shellMark(data)
    if (event !== null) emit(event)
  }
  on(133, shell)
  watchStatus(engine, state, emit)
  on(633, (data) => {
    if (data.startsWith('P;Cwd=')) moved(absolutePath(unescaped(data.slice('P;Cwd='.length))))
    else shell(data)
  })
  on(8, linkWatcher(emit))
}

/** Programs that end without a word leave their status behind: it ends with the next prompt of the shell, or with a reset. */
function watchStatus({ terminal: { parser } }: Engine, state: ProgramState, emit: (event: ScreenEvent) => void): void {
  const said = (data: string) => {
    state.status = data
    emit({ kind: 'status', data })
    return false
  }
  const over = () => state.status !== '' && said('')
  parser.registerOscHandler(7501, (data) => isStatus(data) && said(data))
  parser.registerOscHandler(133, (data) => /^A(;|$)/.test(data) && over())
  parser.registerOscHandler(633, (data) => /^A(;|$)/.test(data) && over())
  parser.registerEscHandler({ final: 'c' }, over)
}

/** With an id it is about one task of the program, of which there may be hundreds. */
const isStatus = (data: string): boolean => data.length <= MAX_STATUS && /(^|:)state=/.test(data) && !/(^|:)id=/.test(data)

/** The engine would keep titles as long as they come, and names for icons, which are nowhere shown. */
function watchTitles({ terminal, internals }: Engine): void {
  const set = (title: string) => internals._inputHandler.setTitle(cleanText(title, MAX_TITLE))
  terminal.parser.registerOscHandler(0, set)
  terminal.parser.registerOscHandler(1, () => true)
  terminal.parser.registerOscHandler(2, set)
}

const OPENABLE = /^(https?|file|mailto):/i

function linkWatcher(emit: (event: ScreenEvent) => void): (data: string) => void {
  const seen = new Set<string>()
  return (data) => {
    const uri = data.slice(data.indexOf(';') + 1)
    const isOpenable = OPENABLE.test(uri) && uri.length <= MAX_URI && cleanText(uri, MAX_URI) === uri
    if (!isOpenable || seen.has(uri)) return
    const [oldest = uri] = seen
    if (seen.size >= MAX_SEEN_LINKS) seen.delete(oldest)
    seen.add(uri)
    emit({ kind: 'link', uri })
  }
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
    case 'E':
      return { kind: 'commandLine', text: cleanText(unescaped(code), MAX_COMMAND) }
    default:
      return null
  }
}

/** VS Code's marks write backslashes twice and other characters as `\\x3b`. */
const unescaped = (text: string): string =>
  text
    .slice(0, 4 * MAX_COMMAND)
    .replace(/\\(?:\\|x([0-9a-f]{2}))/gi, (_, hex?: string) => (hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16))))

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
const cleanText = (text: string, max: number = MAX_TITLE): string => text.slice(0, max).replace(UNPRINTABLE, '')
