/**
 * What every verb is made of: `Verb` describes it, `Input` holds what was typed, `Cli` is what it may use of the world.
 * Beside it: values as people type them (parse, parseTime), questions (questions), how answers of the daemon are
 * printed (answers), exit codes. Start reading here. Only `text/` is below this folder.
 */
import type { Result } from '../../base/refusal.ts'
import type { DaemonClient, Reply } from '../../client/daemonClient.ts'
import type { CommandName, Params } from '../../wire/commands/commands.ts'
import type { Paths } from '../../wire/paths.ts'
import type { ExitCode } from './exit.ts'

export type Option = {
  /** As in `--name <name>` or `-n, --lines <count>`. */
  readonly flags: string
  readonly help: string
  /** May be given several times. */
  readonly repeats?: true
  /** For completion: the values it takes. */
  readonly choices?: readonly string[]
}

export type Verb = {
  readonly name: string
  /** A second name; help and completion use the first. */
  readonly alias?: string
  readonly summary: string
  /** As in `<id> [text]` or `<id...>`. */
  readonly operands?: string
  /** Without --json, which `optionsOf` adds. */
  readonly options?: readonly Option[]
  /** Help of --json, where the usual one does not fit; false for a verb without --json. */
  readonly json?: string | false
  /** Lines of an example, as they are typed. */
  readonly example: readonly string[]
  /** Lines of help below the options. */
  readonly details?: readonly string[]
  /** Everything from the first operand on belongs to another program. */
  readonly passesOn?: true
  /** For completion: what the operands name. Left out, an operand called `id` is a terminal. */
  readonly completes?: 'terminals' | 'file' | readonly string[]
  /** For programs: not in help and completion. */
  readonly hidden?: true
  readonly run?: Run | undefined
  readonly verbs?: readonly Verb[]
}

export type Input = {
  readonly operands: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): readonly string[]
}

export type Run = (cli: Cli, input: Input) => Promise<Result<ExitCode>>

export type Env = Readonly<Record<string, string | undefined>>

export type Cli = {
  /** With --json or --format json: the output is for programs. */
  readonly isJson: boolean
  readonly env: Env
  readonly cwd: string
  readonly stdin: NodeJS.ReadStream & { readonly fd: number }
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  readonly stderr: NodeJS.WriteStream
  /** Throws under a test runner that has not set a home of its own. */
  readonly paths: Paths
  /** Where a program of this terminal reaches the daemon; null outside of a terminal. */
  readonly programSocket: string | null
  print(text: string): void
  printJson(value: unknown): void
  complain(text: string): void
  /** The daemon, started if needed; one connection per invocation. */
  daemon(): Promise<Result<DaemonClient>>
  /** The daemon, if it runs. */
  running(): Promise<Result<DaemonClient>>
  /** The daemon, if it runs, with no more rights than a program of this terminal has. */
  asProgram(): Promise<Result<DaemonClient>>
  ask<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Result<Reply<Name>>>
  /** All verbs, for completion scripts. */
  verbs(): Promise<readonly Verb[]>
  close(): void
}

/** Every verb that does something takes --json, unless it says otherwise. */
export const optionsOf = ({ options = [], run, json }: Verb): readonly Option[] =>
  run === undefined || json === false ? options : [...options, { flags: '--json', help: json ?? 'print JSON, for programs' }]
