/** What a wake would run, in full and as text: for the user to judge, before anything of another machine is started. */

import { commandText } from '../command/commandText.ts'
import type { Environment } from '../redact/environment.ts'
import { argvFor, environmentOf, type Place, type Ways } from '../terminal/resume.ts'
import type { WakeMode } from '../terminal/terminal.ts'

export type WouldStart = {
  readonly command: string
  readonly directory: string
  /** What is set beside the user's own environment. */
  readonly environment: Environment
}

export function wouldStart(terminal: Place, mode: WakeMode, ways: Ways): WouldStart {
  const { spec, restore } = terminal
  const argv = argvFor(terminal, mode, ways)
  const place = argv.from === 'conversation' && restore.kind === 'conversation' ? restore.cwd : undefined
  return {
    command: commandText(argv.command, argv.args),
    directory: place ?? spec.cwd,
    environment: { ...spec.env, ...environmentOf(terminal, argv) },
  }
}

/** A line for each part; where the terminal sets no variable, it says so. */
export function startLines({ command, directory, environment }: WouldStart): readonly string[] {
  const variables = Object.entries(environment).map(([name, value]) => commandText(`${name}=${value}`, []))
  return [
    `command      ${command}`,
    `directory    ${commandText(directory, [])}`,
    `environment  ${variables.length === 0 ? 'yours, nothing added' : variables.join(' ')}`,
  ]
}
