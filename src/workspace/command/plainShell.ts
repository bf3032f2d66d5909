/** Shells at their prompt, told by their command line alone. A shell that was given a script or a text is that program. */
import { wordsOf } from '../../agents/flags/flagTable.ts'
import { baseName } from '../../agents/program.ts'

const SHELLS = new Set(wordsOf('sh bash zsh dash ash ksh ksh93 mksh yash fish csh tcsh nu elvish xonsh pwsh'))
/** Options that take the next word with them. */
const WITH_VALUE = new Set(['--rcfile', '--init-file', '-o', '+o', '-O', '+O', '--features', '--config', '--env-config'])
/** What follows is a program text. */
const TEXT = /^(?:-[a-z]*c|--command|--commands|-Command|-File)$/

/** A login shell has a dash before its name. */
export function isPlainShell([command = '', ...args]: readonly string[]): boolean {
  if (!SHELLS.has(baseName(command).replace(/^-/, ''))) return false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (TEXT.test(word) || !/^[-+]/.test(word)) return false
    if (WITH_VALUE.has(word)) at += 1
  }
  return true
}
