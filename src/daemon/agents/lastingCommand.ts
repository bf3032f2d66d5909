/**
 * The command with which an agent can be started again after it was updated. A process may show the path of an executable inside
 * of its package, such as `node_modules/@openai/codex-linux-x64/vendor/…/codex`, or of one version, which the next update removes.
 * The command on PATH that belongs to the same installation stays.
 */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { argsOf } from '../../agents/argv.ts'
import { scriptOf } from '../../agents/program.ts'

/** The same command line, by the command on PATH where that is the same agent; as it was seen otherwise. */
export function lastingArgv(agent: Agent, argv: readonly string[], path: string): readonly string[] {
  const program = agentPath(agent, argv)
  if (program === null) return argv
  const command = foldersOf(path)
    .flatMap((folder) => agent.recognise.names.map((name) => join(folder, name)))
    .find(isExecutable)
  if (command === undefined || command === program || !isSameInstallation(command, program)) return argv
  return [command, ...argsOf(agent, argv)]
}

/** The path of the agent's own file; null where the command was named without one. */
function agentPath({ recognise: { names } }: Agent, argv: readonly string[]): string | null {
  const [first = ''] = argv
  const isNamed = names.some((name) => first === name || first.endsWith(`/${name}`))
  const path = (isNamed ? null : scriptOf(argv)?.path) ?? first
  return path.startsWith('/') ? path : null
}

const foldersOf = (path: string): readonly string[] => path.split(':').filter((folder) => folder.startsWith('/'))

function isExecutable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0
}

/** A link to it, a command in the same `node_modules` or among the same versions, or one that lies above it. */
function isSameInstallation(command: string, program: string): boolean {
  const [real, seen] = [realOf(command), realOf(program)]
  return real === seen || liesTogether(command, program) || liesTogether(real, seen)
}

function liesTogether(command: string, program: string): boolean {
  const home = installationOf(program)
  return (home !== null && home === installationOf(command)) || program.startsWith(`${dirname(command)}/`)
}

/** One that is gone already has only the path that was seen. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const INSTALLATION = /^.*?\/(?:node_modules|share\/claude\/versions)\//

const installationOf = (path: string): string | null => INSTALLATION.exec(path)?.[0] ?? null
