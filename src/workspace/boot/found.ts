/** What a daemon finds when it starts: records that were kept, and holders that live. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { ExitStatus, Link, Spec, Terminal } from '../terminal/terminal.ts'

export type KeptRecord = DecodedRecord | UndecodableRecord
type DecodedRecord = { readonly ok: true; readonly terminal: Terminal }
export type UndecodableRecord = { readonly ok: false; readonly id: TerminalId | string; readonly raw: string; readonly why: string }

/** A holder that answered, or whose process is known to live. No two have the same run. */
export type LivingHolder = {
  readonly terminal: TerminalId
  readonly run: RunId
  readonly pid: number
  readonly holderPid: number
  readonly spec: Spec
  readonly startedAt: number
  readonly exited: ExitStatus | null
  /** When it ended, where its log tells. */
  readonly exitedAt?: number | undefined
  readonly link: Link
  /** Its run is a private terminal's; left out where it is not. */
  readonly private?: true
}
