/** Which word of a command line is the program itself, where an interpreter runs it. */
import { wordsOf } from './flags/flagTable.ts'

/** Where the program's own arguments begin, and the path of the script; null where no interpreter runs a file. */
export type Script = { readonly path: string; readonly at: number }

const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|ruby|sh|bash|dash|zsh|ksh|fish)$/
/** Options of interpreters that take the next word with them. */
const WITH_VALUE = new Set(wordsOf('-r --require --import --loader --experimental-loader -C --conditions -W -X -O -o'))
/** What follows is a program text, not a file. */
const TEXT = /^(?:-[a-z]*c|-e|--eval|-p|--print|-i|-s|-)$/
const RUNNERS = new Set(['run', 'x'])

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** As the command is called. The ending of a script stays: `pi.py` is not the agent `pi`. */
export const commandName = (path: string): string => baseName(path).replace(/\.exe$/, '')

export function scriptOf(argv: readonly string[]): Script | null {
  const interpreter = baseName(argv[0] ?? '').replace(/^-/, '')
  if (interpreter === 'env') return scriptBehindEnv(argv)
  if (!INTERPRETERS.test(interpreter)) return null
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '-m' && interpreter.startsWith('python')) return scriptAt(argv, at + 1)
    if (TEXT.test(word)) return null
    if (WITH_VALUE.has(word)) at += 1
    else if (!word.startsWith('-') && !(at === 1 && isRunner(interpreter, word))) return scriptAt(argv, at)
  }
  return null
}

/** `#!/usr/bin/env node` shows for a moment before node does, and already bears the name of the script. */
function scriptBehindEnv(argv: readonly string[]): Script | null {
  if (argv[1]?.startsWith('-S') === true) return scriptAt(argv, 2)
  const script = scriptOf(argv.slice(1))
  return script === null ? null : { ...script, at: script.at + 1 }
}

const isRunner = (interpreter: string, word: string): boolean => ['bun', 'deno'].includes(interpreter) && RUNNERS.has(word)

function scriptAt(argv: readonly string[], at: number): Script | null {
  const path = argv[at]
  return path === undefined || path === '' ? null : { path, at }
}
