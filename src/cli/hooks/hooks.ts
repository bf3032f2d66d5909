/**
 * The hooks that report an agent's conversation and state to Holdfast: finds, installs and removes them in the agent's settings.
 * Only the verbs of `agent hooks` do that. Start reading here; settingsFile changes the file safely. Below: `core/`.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import {
  HOOK_TARGETS,
  type HookTarget,
  hookTarget,
  type Presence,
  presenceIn,
  textWith,
  textWithout,
} from '../../agents/hooks/hookTargets.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { forEach } from '../core/answers.ts'
import type { ExitCode } from '../core/exit.ts'
import type { Cli, Input, Option } from '../core/verb.ts'
import { type SettingsFile, settingsFile } from './settingsFile.ts'

/** The agent may write its settings at the same moment. */
const ATTEMPTS = 3

export const HOOK_AGENTS: readonly string[] = HOOK_TARGETS.map(({ agent }) => agent)
export const CONFIG_DIR: Option = { flags: '--config-dir <dir>', help: 'directory of the agent’s settings (default: the agent’s own)' }

export type Hooks = {
  readonly target: HookTarget
  readonly directory: string
  readonly path: string
  readonly file: SettingsFile
  /** The `holdfast` that hooks run; if it is gone, they run the one in PATH. */
  readonly program: string
  readonly isAgentThere: boolean
}

export function hooksOf(agent: string, input: Pick<Input, 'text'>, { env, cwd }: Pick<Cli, 'env' | 'cwd'>): Result<Hooks> {
  const target = hookTarget(agent)
  if (target === null) return refused(refusals.hooksUnsupported(agent, HOOK_AGENTS))
  const given = input.text('configDir')
  const directory = given === undefined ? target.directory(env, env['HOME'] || homedir()) : resolve(cwd, given)
  const path = join(directory, target.file)
  const isAgentThere = given !== undefined || existsSync(directory) || isInPath(target.program, env['PATH'])
  return done({ target, directory, path, file: settingsFile(path, directory), program: process.argv[1] ?? 'holdfast', isAgentThere })
}

const isInPath = (program: string, path: string | undefined): boolean =>
  (path ?? '').split(delimiter).some((directory) => directory !== '' && isExecutable(join(directory, program)))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Acts on each named agent, and prints its lines, or with --json what it told. */
export async function forEachAgent(
  cli: Cli,
  input: Input,
  act: (hooks: Hooks) => Result<{ readonly told: object; readonly lines: readonly (string | null)[] }>,
): Promise<Result<ExitCode>> {
  const told: object[] = []
  const outcome = await forEach(input.operands, cli, (agent) => {
    const hooks = hooksOf(agent, input, cli)
    if (!hooks.ok) return hooks
    const acted = act(hooks.value)
    if (!acted.ok) return acted
    told.push({ agent, file: hooks.value.path, ...acted.value.told })
    if (!cli.isJson) for (const line of acted.value.lines) if (line !== null) cli.print(line)
    return done(null)
  })
  if (cli.isJson) cli.printJson(told)
  return outcome
}

export function presenceOf({ target, file, program, path }: Hooks): Result<Presence> {
  return onDisk(path, () => done(presenceIn(target, file.read(), program)))
}

export type Installed = { readonly was: Presence['kind']; readonly backup: string | null }

export function installHooks({ target, directory, path, file, program, isAgentThere }: Hooks): Result<Installed> {
  if (!isAgentThere) return refused(refusals.agentNotFound(target.label, directory))
  return onDisk(path, () =>
    trying(path, () => {
      const before = file.read()
      const edited = textWith(target, before, program)
      if (!edited.ok) return refused(refusals.hooksUnusable(path, edited.why))
      const was = presenceIn(target, before, program).kind
      if (edited.text === before) return done({ was, backup: null })
      const backup = file.backUp(new Date())
      return file.replace(edited.text, before) ? done({ was, backup }) : null
    }),
  )
}

/** `kept` is a copy of a file of ours that the user had edited. */
export type Removed = { readonly was: Presence['kind']; readonly kept: string | null }

export function removeHooks({ target, path, file, program }: Hooks): Result<Removed> {
  return onDisk(path, () =>
    trying<Removed>(path, () => {
      const before = file.read()
      const was = presenceIn(target, before, program)
      if (before === null) return done({ was: 'absent', kept: null })
      if (was.kind === 'absent') {
        file.forgetBackups()
        return done({ was: 'absent', kept: null })
      }
      const edited = textWithout(target, before, { program, backups: file.backups().map(({ text }) => text) })
      if (!edited.ok) return refused(refusals.hooksUnusable(path, edited.why))
      if (edited.text !== null && !file.replace(edited.text, before)) return null
      const isTheirWork = target.content.kind === 'plugin' && was.kind === 'changed'
      const kept = isTheirWork ? file.backUp(new Date()) : null
      if (edited.text === null) file.remove()
      if (kept === null) file.forgetBackups()
      return done({ was: was.kind, kept })
    }),
  )
}

/** An attempt returns null if another program has changed the file. */
function trying<Value>(path: string, attempt: () => Result<Value> | null): Result<Value> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const outcome = attempt()
    if (outcome !== null) return outcome
  }
  return refused(refusals.hooksFailed(path, 'another program keeps changing the file'))
}

function onDisk<Value>(path: string, work: () => Result<Value>): Result<Value> {
  try {
    return work()
  } catch (error) {
    return refused(refusals.hooksFailed(path, systemReason(error)))
  }
}
