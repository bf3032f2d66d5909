/** What a verb is: how it is written on the command line, and what it does. Each one has a file of its own in verbs/. */
import type { Result } from '../base/refusal.ts'
import type { ExitCode } from './exit.ts'
import type { Host } from './host.ts'

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
  /** Another word for it; help and completion speak of the first. */
  readonly alias?: string
  readonly summary: string
  /** As in `<id> [text]` or `<id...>`. */
  readonly operands?: string
  readonly options?: readonly Option[]
  /** Lines of an example, as they are typed. */
  readonly example: readonly string[]
  /** Lines of help that the summary has no room for. */
  readonly details?: readonly string[]
  /** Everything from the first operand on belongs to another program. */
  readonly passesOn?: true
  /** For completion: what the operands name. */
  readonly completes?: 'terminal' | 'terminals' | 'file' | readonly string[]
  /** For programs: neither help nor completion speaks of it. */
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

export type Run = (input: Input, host: Host) => Promise<Result<ExitCode>>

export const JSON_OPTION: Option = { flags: '--json', help: 'print JSON, for programs' }
